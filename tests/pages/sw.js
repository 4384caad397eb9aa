// A service worker that answers one path itself and leaves the rest to the network.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', event => {
  if (new URL(event.request.url).pathname === '/pages/from-service-worker.txt') event.respondWith(new Response('made by the service worker'));
});
