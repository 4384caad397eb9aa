// What the fixture server answers besides files. Each route is (exchange) => void; an exchange is
// {request, response, url, body: Buffer, state, site, send(status, type, body, headers?), json(value, status?, headers?)}.
import { gzipSync } from 'node:zlib';

import { square } from './png.mjs';

const number = (url, key, fallback) => Number(url.searchParams.get(key) ?? fallback);
const parsed = body => { try { return JSON.parse(body.toString('utf8')); } catch { return null; } };

/// State of one server, so that two running at once share nothing.
export const newState = () => ({ items: new Map([[1, { id: 1, name: 'first' }], [2, { id: 2, name: 'second' }]]), next: 3, held: new Map(), released: new Set() });

export const routes = [
  // /redirect?to=/pages/form.html&status=302&hops=3
  [/^\/redirect$/, ({ url, send }) => {
    const hops = number(url, 'hops', 1), next = new URL(url);
    next.searchParams.set('hops', hops - 1);
    send(number(url, 'status', 302), 'text/plain', 'moved', { location: hops > 1 ? next.pathname + next.search : url.searchParams.get('to') ?? '/' });
  }],
  // /hold/KEY answers when somebody asks for /release/KEY, before or after
  [/^\/hold\/([\w-]+)$/, ({ state, send, response }, key) => {
    const answer = () => send(200, 'text/plain', `released ${key}`, { 'access-control-allow-origin': '*' });
    if (state.released.delete(key)) return answer();
    state.held.set(key, [...(state.held.get(key) ?? []), answer]);
    response.on('close', () => state.held.set(key, (state.held.get(key) ?? []).filter(a => a !== answer)));
  }],
  [/^\/release\/([\w-]+)$/, ({ state, json }, key) => {
    const waiting = state.held.get(key) ?? [];
    state.held.delete(key);
    if (!waiting.length) state.released.add(key);
    waiting.forEach(answer => answer());
    json({ released: waiting.length });
  }],
  // /slow?ms=300: for deadlines; what waits for a cause uses /hold
  [/^\/slow$/, ({ url, send }) => { setTimeout(() => send(200, 'text/plain', 'slow'), number(url, 'ms', 300)); }],
  // /broken: the connection dies instead of an answer; /broken?after=10: after so many bytes
  [/^\/broken$/, ({ url, response }) => {
    const after = number(url, 'after', 0);
    if (!after) return response.socket.destroy();
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': after + 1000 });
    response.write('x'.repeat(after), () => response.socket.destroy());
  }],
  [/^\/status\/(\d{3})$/, ({ send }, code) => send(Number(code), 'text/plain', `status ${code}`)],
  [/^\/big$/, ({ url, send }) => send(200, 'text/plain', 'b'.repeat(number(url, 'bytes', 1 << 20)))],
  [/^\/gzip$/, ({ send }) => send(200, 'application/json', gzipSync(JSON.stringify({ packed: true })), { 'content-encoding': 'gzip' })],
  [/^\/chunked$/, ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    for (let i = 0; i < 5; i++) response.write(`part ${i}\n`);
    response.end();
  }],
  [/^\/download\/([^/]+)$/, ({ url, send }, name) => send(200, 'application/octet-stream', 'd'.repeat(number(url, 'bytes', 12)), { 'content-disposition': `attachment; filename="${name}"` })],
  [/^\/beacon$/, ({ send }) => send(204, null, '')],
  [/^\/asset\/([0-9a-f]{6})\.png$/, ({ url, send }, colour) => send(200, 'image/png', square(colour, number(url, 'side', 16)), { 'access-control-allow-origin': '*', 'cache-control': 'max-age=60' })],
  [/^\/sse$/, ({ url, response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'access-control-allow-origin': '*' });
    const n = number(url, 'n', 3);
    for (let i = 1; i <= n; i++) response.write(`id: ${i}\n${i % 2 ? '' : 'event: even\n'}data: tick ${i}\n\n`);
    if (!url.searchParams.has('open')) response.end();
  }],
  [/^\/auth\/basic$/, ({ request, send }) => request.headers.authorization
    ? send(200, 'text/plain', 'welcome') : send(401, 'text/plain', 'who?', { 'www-authenticate': 'Basic realm="fixtures"' })],

  [/^\/api\/login$/, ({ body, json }) => {
    const given = parsed(body);
    if (!given?.user || !given?.password) return json({ ok: false, error: 'user and password, please' }, 401);
    json({ ok: true, user: given.user, token: 'token-of-' + given.user }, 200, { 'set-cookie': `sid=session-of-${given.user}; HttpOnly; Path=/; SameSite=Lax` });
  }],
  [/^\/api\/me$/, ({ request, json }) => json({ cookie: request.headers.cookie ?? null })],
  [/^\/api\/echo$/, ({ request, url, body, json }) => json({ method: request.method, query: url.search, headers: request.headers, body: body.toString('utf8') }, 200, { 'access-control-allow-origin': request.headers.origin ?? '*', 'access-control-allow-credentials': 'true', 'access-control-allow-headers': '*' })],
  [/^\/api\/items$/, ({ request, state, body, json }) => {
    if (request.method === 'POST') {
      const item = { ...parsed(body), id: state.next++ };
      state.items.set(item.id, item);
      return json(item, 201);
    }
    json([...state.items.values()]);
  }],
  [/^\/api\/items\/(\d+)$/, ({ request, state, body, json, send }, text) => {
    const id = Number(text), item = state.items.get(id);
    if (!item) return json({ error: `no item ${id}` }, 404);
    if (request.method === 'DELETE') { state.items.delete(id); return send(204, null, ''); }
    if (request.method === 'PUT' || request.method === 'PATCH') {
      const next = { ...(request.method === 'PATCH' ? item : {}), ...parsed(body), id };
      state.items.set(id, next);
      return json(next);
    }
    json(item);
  }],
];
