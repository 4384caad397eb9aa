#!/usr/bin/env node
// Tally, the demo app: a bookkeeping that browx records and that generated tests are judged on.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { bodyOf, closeAll, listenBoth, types } from '../support/listen.mjs';
import { api, payApi } from './server/api.mjs';
import { chat } from './server/chat.mjs';
import { checkMutant, mutants } from './server/mutants.mjs';
import { card, credentials } from './server/seed.mjs';
import { Sessions } from './server/sessions.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

/// Starts the app: {url, payUrl, mutant, close()}. `url` is http://127.0.0.1:N and `payUrl` http://localhost:M, two sites to a browser, so
/// that the payment frame gets a process of its own. Two apps at once share nothing.
export async function startApp({ port = 0, payPort = 0, mutant = '' } = {}) {
  const app = { sessions: new Sessions(), mutant: checkMutant(mutant) }, servers = [], sockets = new Set();
  const upgrade = (request, socket) => {
    const { session } = app.sessions.of(request);
    if (request.url !== '/chat' || !session.user) return socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    chat(request, socket, session, app.mutant);
  };
  const handler = (routes, folder) => (request, response) => serve(request, response, app, routes, folder).catch(error => {
    if (!response.headersSent) response.writeHead(error instanceof URIError ? 400 : 500, { 'content-type': types['.txt'] });
    response.end(`${error.message}\n`);
  });
  app.payOrigin = `http://localhost:${await listenBoth(payPort, { request: handler(payApi, 'pay') }, servers)}`;
  const url = `http://127.0.0.1:${await listenBoth(port, { request: handler(api, 'site'), upgrade }, servers)}`;
  app.policy = `default-src 'self'; frame-src ${app.payOrigin}; connect-src 'self' ${url.replace('http', 'ws')}; base-uri 'none'; object-src 'none'`;
  return { url, payUrl: app.payOrigin, mutant: app.mutant, close: () => { sockets.forEach(one => one.destroy()); return closeAll(servers); } };
}

async function serve(request, response, app, routes, folder) {
  const url = new URL(request.url, `http://${request.headers.host}`), raw = await bodyOf(request);
  if (!raw) return;
  const headers = { 'cache-control': 'no-store' };
  let session = null;
  if (folder === 'site') {
    const found = app.sessions.of(request);
    session = found.session;
    if (found.cookie) headers['set-cookie'] = found.cookie;
    headers['content-security-policy'] = app.policy;
  }
  const send = (status, type, body) => response.writeHead(status, { ...headers, ...(type && { 'content-type': type }) }).end(body);
  const json = (value, status = 200) => (status === 204 ? send(204) : send(status, types['.json'], JSON.stringify(value)));

  if (folder === 'site' && url.pathname === '/reset') {
    app.sessions.reset(session);
    if (request.method === 'POST') return json({ reset: true });
    headers.location = '/';
    return send(303);
  }
  if (url.pathname === '/fault.js') return send(200, types['.js'], `// The mutant that this server was started with.\nexport const fault = name => name === ${JSON.stringify(app.mutant)};\n`);

  const matching = routes.map(([method, pattern, handler, guarded]) => ({ method, match: pattern.exec(url.pathname), handler, guarded })).filter(one => one.match);
  if (matching.length || url.pathname.startsWith('/api/')) {
    const route = matching.find(one => one.method === request.method);
    if (!route) return json({ error: matching.length ? `${request.method} is not possible here.` : 'There is nothing here.' }, matching.length ? 405 : 404);
    if (route.guarded && !session.user) return json({ error: 'Please sign in.' }, 401);
    let body = {};
    if (raw.length) {
      try { body = JSON.parse(raw.toString('utf8')); } catch { return json({ error: 'The body must be JSON.' }, 400); }
      if (typeof body !== 'object' || !body) return json({ error: 'The body must be a JSON object.' }, 400);
    }
    return route.handler({ ...app, session, url, body, json }, ...route.match.slice(1));
  }
  serveFile(url, folder, send);
}

// A file of the folder; every address without an extension is a view of the page.
function serveFile(url, folder, send) {
  const name = path.extname(url.pathname) ? url.pathname : folder === 'pay' ? '/frame.html' : '/index.html';
  const file = path.join(here, folder, path.normalize(decodeURIComponent(name)));
  if (!file.startsWith(path.join(here, folder) + path.sep) || !fs.existsSync(file)) return send(404, types['.txt'], 'There is nothing here.');
  send(200, types[path.extname(file)] ?? 'application/octet-stream', fs.readFileSync(file));
}

const help = () => `Tally, a bookkeeping to record and to test.

  node tests/app/server.mjs [--port N] [--pay-port N]

Prints one line of JSON with the addresses and serves until SIGTERM or SIGINT.
Ports are free ones unless given. /reset forgets what a browser's session changed.

Sign in as   ${credentials.email}   ${credentials.password}   code ${credentials.code}
Pay with     ${card.number}   ${card.expiry}   ${card.code}

BROWX_DEMO_MUTANT=NAME starts it with a bug:
${Object.entries(mutants).map(([name, { says }]) => `  ${name.padEnd(18)} ${says}`).join('\n')}
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { values } = parseArgs({ options: { port: { type: 'string' }, 'pay-port': { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
    if (values.help) {
      process.stdout.write(help());
    } else {
      const number = (name, text = '0') => (/^\d{1,5}$/.test(text) && Number(text) < 65536 ? Number(text) : (() => { throw new Error(`--${name} takes a port number, not '${text}'`); })());
      const app = await startApp({ port: number('port', values.port), payPort: number('pay-port', values['pay-port']), mutant: process.env.BROWX_DEMO_MUTANT });
      console.log(JSON.stringify({ pid: process.pid, url: app.url, payUrl: app.payUrl, mutant: app.mutant }));
      const end = () => app.close().then(() => process.exit(0));
      for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, end);
    }
  } catch (error) {
    console.error(`tests/app/server.mjs: ${error.message}\nnode tests/app/server.mjs --help tells more.`);
    process.exit(2);
  }
}
