#!/usr/bin/env node
// The fixture site, on several origins of this machine, with a log of its own that tests use as a witness.
//
//   node tests/support/serve.mjs [--port N]      prints one JSON line {"pid", "origins":{a,b,c,d}} when it listens
//
// Two servers on two ports, each reachable as 127.0.0.1 and as localhost:
//   a = http://127.0.0.1:P  b = http://localhost:P  (another site)  c = http://127.0.0.1:Q  (same site, another origin)  d = http://localhost:Q
//
//   /pages/… /cases/…    files of tests/pages and tests/cases. In HTML of /pages {{self}}, {{other}} (b of a), {{port}} (c of a) are replaced.
//   ?__header=Name:value on any file adds a response header (repeatable), e.g. a Content-Security-Policy
//   /ws/echo             echoes text and binary;  /ws/ticker?n=3  sends n texts and closes
//   /__log               GET: {"entries":[…]} in order of arrival, ?since=N only those after;  DELETE: forgets
//   the rest             tests/support/routes.mjs
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { bodyOf, closeAll, listenBoth, types } from './listen.mjs';
import { newState, routes } from './routes.mjs';
import { accept, BINARY, TEXT } from './websocket.mjs';

const tests = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
/// Starts the site. {origins, url(path) on origin a, log(), clear(), release(key), close()}; `log()` is read in-process.
export async function startSite({ port = 0 } = {}) {
  const log = [], state = newState(), servers = [], sockets = new Set(), began = performance.now();
  const note = entry => { log.push({ n: log.length + 1, t: Math.round((performance.now() - began) * 1000) / 1000, ...entry }); return log[log.length - 1]; };
  const handlers = { request: (q, r) => serve(q, r, { log, state, note, others }), upgrade: (q, s) => upgrade(q, s, { note, sockets }) };

  const ports = [];
  for (const wanted of [port, port ? port + 1 : 0]) ports.push(await listenBoth(wanted, handlers, servers));
  const others = { [ports[0]]: ports[1], [ports[1]]: ports[0] };
  const [p, q] = ports;
  const origins = { a: `http://127.0.0.1:${p}`, b: `http://localhost:${p}`, c: `http://127.0.0.1:${q}`, d: `http://localhost:${q}` };
  return {
    origins,
    url: (file = '/', origin = 'a') => origins[origin] + file,
    log: () => log,
    clear: () => { log.length = 0; },
    release: key => fetch(`${origins.a}/release/${key}`).then(r => r.json()),
    close: () => { sockets.forEach(one => one.destroy()); return closeAll(servers); },
  };
}

async function serve(request, response, site) {
  const url = new URL(request.url, `http://${request.headers.host}`);
  if (url.pathname === '/__log') return serveLog(request, response, url, site.log);
  const entry = site.note({ kind: 'http', method: request.method, host: request.headers.host, url: request.url, headers: request.headers, status: null, sent: 0, done: false, aborted: false });
  response.on('finish', () => { entry.done = true; entry.status = response.statusCode; });
  response.on('close', () => { if (!entry.done) { entry.aborted = true; entry.status = response.headersSent ? response.statusCode : null; } });

  const send = (status, type, body, headers = {}) => {
    if (response.writableEnded || response.destroyed) return;
    entry.sent = Buffer.byteLength(body);
    response.writeHead(status, { ...(type && { 'content-type': type }), 'cache-control': 'no-store', ...headers });
    response.end(body);
  };
  const json = (value, status = 200, headers = {}) => send(status, 'application/json', JSON.stringify(value), headers);

  const body = await bodyOf(request);
  if (!body) return;  // the client gave up; the log says aborted
  if (body.length) entry.body = body.toString('utf8');

  for (const [pattern, route] of routes) {
    const match = pattern.exec(url.pathname);
    if (match) return route({ request, response, url, body, state: site.state, send, json }, ...match.slice(1).map(decodeURIComponent));
  }
  serveFile(url, send, site.others);
}

function serveFile(url, send, others) {
  if (url.pathname === '/') return send(200, types['.html'], index());
  const name = path.normalize(decodeURIComponent(url.pathname)), root = name.split('/')[1];
  let file = path.join(tests, name);
  if (!['pages', 'cases'].includes(root) || !file.startsWith(tests + path.sep)) return send(404, 'text/plain', 'not here');
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat?.isDirectory()) file = path.join(file, 'index.html');
  if (!fs.existsSync(file)) return send(404, 'text/plain', 'not here');
  let body = fs.readFileSync(file);
  if (root === 'pages' && file.endsWith('.html')) {
    const other = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
    body = body.toString('utf8').replaceAll('{{self}}', url.origin).replaceAll('{{other}}', `http://${other}:${url.port}`)
      .replaceAll('{{port}}', `http://${url.hostname}:${others[url.port]}`);
  }
  const headers = { 'access-control-allow-origin': '*' };
  for (const one of url.searchParams.getAll('__header')) headers[one.slice(0, one.indexOf(':')).toLowerCase()] = one.slice(one.indexOf(':') + 1).trim();
  send(200, types[path.extname(file)] ?? 'application/octet-stream', body, headers);
}

function serveLog(request, response, url, log) {
  if (request.method === 'DELETE') { log.length = 0; return response.writeHead(204).end(); }
  const since = Number(url.searchParams.get('since') ?? 0);
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify({ entries: log.filter(entry => entry.n > since) }));
}

function index() {
  const list = folder => (fs.existsSync(path.join(tests, folder)) ? fs.readdirSync(path.join(tests, folder)).sort() : []);
  const links = [...list('pages').filter(f => f.endsWith('.html')).map(f => `/pages/${f}`), ...list('cases').map(f => `/cases/${f}/index.html`)];
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Fixtures</title><h1>Fixtures</h1><ul>${links.map(l => `<li><a href="${l}">${l}</a>`).join('')}</ul>`;
}

function upgrade(request, socket, { note, sockets }) {
  const url = new URL(request.url, `http://${request.headers.host}`);
  if (!['/ws/echo', '/ws/ticker'].includes(url.pathname)) return socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  const about = { host: request.headers.host, url: request.url };
  const text = (data, opcode) => (opcode === BINARY ? data.toString('base64') : data.toString('utf8'));
  note({ kind: 'ws-open', ...about, headers: request.headers });
  const ws = accept(request, socket, {
    message(data, opcode) {
      note({ kind: 'ws-in', ...about, opcode, data: text(data, opcode) });
      note({ kind: 'ws-out', ...about, opcode, data: text(data, opcode) });
      ws.send(data, opcode);
    },
    close: () => note({ kind: 'ws-close', ...about }),
  });
  if (url.pathname === '/ws/ticker') {
    for (let i = 1; i <= Number(url.searchParams.get('n') ?? 3); i++) {
      note({ kind: 'ws-out', ...about, opcode: TEXT, data: `tick ${i}` });
      ws.send(`tick ${i}`);
    }
    ws.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--port');
  const site = await startSite({ port: at > 0 ? Number(process.argv[at + 1]) : 0 });
  console.log(JSON.stringify({ pid: process.pid, origins: site.origins }));
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => site.close().then(() => process.exit(0)));
  process.stdin.on('end', () => site.close().then(() => process.exit(0))).resume();  // ends with whoever holds its stdin
}
