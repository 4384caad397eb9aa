// The fixture site itself: a witness that cannot be trusted witnesses nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { decode, square } from './png.mjs';
import { startSite } from './serve.mjs';

let site;
before(async () => { site = await startSite(); });
after(() => site.close());
const get = (path, origin, options) => fetch(site.url(path, origin), options);

test('each of the four origins serves the pages', async () => {
  for (const origin of 'abcd') {
    const html = await (await get('/pages/frames.html', origin)).text();
    assert.match(html, /<title>Frames/);
    assert.doesNotMatch(html, /\{\{/);
  }
});

test('the log holds every request in order, with its body, status and end', async () => {
  site.clear();
  await get('/api/items', 'a');
  await get('/api/items', 'b', { method: 'POST', body: JSON.stringify({ name: 'third' }) }).then(r => r.json());
  await get('/api/items/3', 'c').then(r => r.json());
  await get('/nothing', 'd').then(r => r.text());
  const { entries } = await (await get('/__log')).json();
  assert.deepEqual(entries.map(e => [e.n, e.method, e.url, e.status, e.done]), [
    [1, 'GET', '/api/items', 200, true], [2, 'POST', '/api/items', 201, true], [3, 'GET', '/api/items/3', 200, true], [4, 'GET', '/nothing', 404, true]]);
  assert.equal(entries[1].body, '{"name":"third"}');
  assert.equal(entries[1].host, new URL(site.origins.b).host);
  assert.deepEqual((await (await get('/__log?since=3')).json()).entries.map(e => e.n), [4]);
});

test('a redirect takes as many hops as asked', async () => {
  site.clear();
  const answer = await get('/redirect?to=/api/me&hops=3');
  assert.equal(answer.status, 200);
  assert.equal(site.log().filter(e => e.url.startsWith('/redirect')).length, 3);
});

test('a held answer comes when it is released, whichever is first', async () => {
  const waiting = get('/hold/one').then(r => r.text());
  while (!site.log().some(e => e.url === '/hold/one')) await new Promise(setImmediate);
  assert.equal((await site.release('one')).released, 1);
  assert.equal(await waiting, 'released one');
  assert.equal((await site.release('two')).released, 0);
  assert.equal(await (await get('/hold/two')).text(), 'released two');
});

test('a broken connection is an error at the client and aborted in the log', async () => {
  site.clear();
  await assert.rejects(get('/broken'));
  assert.equal(site.log()[0].aborted, true);
});

test('files outside the fixtures are not served', async () => {
  for (const path of ['/support/serve.mjs', '/pages/%2e%2e/support/serve.mjs', '/pages/..%2f..%2fdev']) assert.equal((await get(path)).status, 404, path);
});

test('a file can be given response headers', async () => {
  const answer = await get(`/pages/form.html?__header=${encodeURIComponent("Content-Security-Policy: default-src 'none'")}`);
  assert.equal(answer.headers.get('content-security-policy'), "default-src 'none'");
});

test('the echo socket returns text, binary and messages longer than one frame length class', async () => {
  const socket = new WebSocket(`${site.origins.a.replace('http', 'ws')}/ws/echo`);
  socket.binaryType = 'arraybuffer';
  const next = () => new Promise((done, failed) => { socket.onmessage = e => done(e.data); socket.onerror = failed; });
  await new Promise(done => { socket.onopen = done; });
  for (const text of ['hi', 'x'.repeat(200), 'y'.repeat(70000)]) {
    socket.send(text);
    assert.equal(await next(), text);
  }
  socket.send(new Uint8Array([0, 255]));
  assert.deepEqual([...new Uint8Array(await next())], [0, 255]);
  socket.close();
});

test('the event stream has numbered messages and ends', async () => {
  assert.equal(await (await get('/sse?n=2')).text(), 'id: 1\ndata: tick 1\n\nid: 2\nevent: even\ndata: tick 2\n\n');
});

test('pictures survive encoding and decoding', async () => {
  const png = decode(Buffer.from(await (await get('/asset/0a141e.png?side=4')).arrayBuffer()));
  assert.deepEqual([png.width, png.height, ...png.at(3, 3)], [4, 4, 10, 20, 30]);
  assert.throws(() => decode(square('000000').fill(0, 0, 1)), /not a PNG/);
});
