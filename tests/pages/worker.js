// A dedicated and a shared worker in one: answers each message after a fetch of its own.
const answer = async (port, text) => {
  console.log('worker got', text);
  const told = await (await fetch(`/api/echo?from=worker&text=${encodeURIComponent(text)}`)).json();
  port.postMessage(`pong ${told.query}`);
};
self.onmessage = event => answer(self, event.data);
self.onconnect = event => { const port = event.ports[0]; port.onmessage = message => answer(port, message.data); };
