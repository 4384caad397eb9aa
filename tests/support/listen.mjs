// What the servers of the tests share: listening on loopback, content types, reading a body.
import http from 'node:http';

export const types = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.json': 'application/json',
  '.png': 'image/png', '.svg': 'image/svg+xml', '.ttf': 'font/ttf', '.woff2': 'font/woff2', '.txt': 'text/plain; charset=utf-8', '.pdf': 'application/pdf',
};

/// Listens on the loopback of both IP versions (localhost may mean either) and answers the port; what was started is pushed to `servers`.
/// `handlers` is {request(request, response), upgrade?(request, socket)}.
export async function listenBoth(port, handlers, servers) {
  const listen = (host, wanted) => new Promise((done, failed) => {
    const server = http.createServer(handlers.request);
    if (handlers.upgrade) server.on('upgrade', handlers.upgrade);
    server.once('error', failed);
    server.listen(wanted, host, () => { servers.push(server); done(server.address().port); });
  });
  const got = await listen('127.0.0.1', port);
  try {
    await listen('::1', got);
  } catch (error) {
    if (!['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(error.code)) throw error;  // a machine without IPv6
  }
  return got;
}

/// Ends servers and every connection they hold.
export const closeAll = servers => Promise.all(servers.map(one => new Promise(done => { one.close(done); one.closeAllConnections(); })));

/// The whole body of a request, or null when the client gave up.
export async function bodyOf(request) {
  const chunks = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}
