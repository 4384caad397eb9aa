// A recorded session beside two independent witnesses: the fixture server's own log, and the raw CDP events as a second client of the
// same browser saw them. Nothing they saw may be missing in the archive, and the order must be theirs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { domEvents, query } from '../support/archive.mjs';
import { info, Server } from '../support/browx.mjs';
import { CdpWitness } from '../support/cdp_witness.mjs';
import { startSite } from '../support/serve.mjs';

const rounds = 15, marked = ['main', 'same', 'cross'];
const site = await startSite();
let server, witness, archive;

before(async () => {
  server = await Server.start();
  await server.ok('open_session', { url: 'about:blank' });
  witness = await CdpWitness.attach(server);
  await server.ok('set_dialog_policy', { mode: 'accept' });
  await server.ok('start_recording', { flowName: 'witnessed', replay: { tier: 'reexecutable' } });
  site.clear();

  await server.ok('navigate', { url: site.url(`/pages/activity.html?frames=1&rounds=${rounds}`) });
  await witness.watchDom();
  await server.ok('click', { ref: await server.ref('button', 'Run') });
  for (const name of marked) await server.ok('wait_for', { text: `done ${name}` });

  await server.ok('navigate', { url: site.url('/pages/dialogs.html') });
  for (const id of ['alert', 'confirm', 'prompt', 'two']) await server.ok('click', { selector: `#${id}` });

  await server.ok('navigate', { url: site.url('/pages/sockets.html') });
  for (const [button, line] of [['Open', 'open'], ['Send text', 'text hello 1'], ['Send binary', 'binary 0,1,254,255'], ['Close', 'closed 1000'], ['Listen to events', 'stream ended']]) {
    await server.ok('click', { selector: `role=button[name="${button}"]` });
    await server.ok('wait_for', { text: line });
  }

  await server.ok('navigate', { url: site.url('/redirect?to=/pages/console.html&hops=2') });
  for (const id of ['lines', 'throw', 'reject', 'missing', 'broken']) await server.ok('click', { selector: `#${id}` });
  await server.ok('navigate', { url: site.url('/pages/workers.html') });
  await server.ok('click', { selector: '#worker' });
  await server.ok('wait_for', { text: 'worker pong' });
  await server.ok('navigate', { url: site.url('/pages/assets.html') });
  await server.ok('navigate', { url: site.url('/pages/frames.html') });

  const ended = await server.ok('end_recording');
  archive = ended.replay.absolutePath;
});
after(async () => { witness?.close(); await server?.close(); await site.close(); });

// `found` holds everything of `wanted`, as often.
function holdsAll(found, wanted, what) {
  const left = new Map();
  for (const one of found) left.set(one, (left.get(one) ?? 0) + 1);
  const missing = wanted.filter(one => { const n = left.get(one) ?? 0; left.set(one, n - 1); return n <= 0; });
  assert.deepEqual(missing, [], `${what} missing in the archive`);
}

// `wanted` is a subsequence of `found`: nothing is missing and the order is the same.
function holdsInOrder(found, wanted, what) {
  let at = 0;
  const missing = wanted.filter(one => { const next = found.indexOf(one, at); if (next < 0) return true; at = next + 1; return false; });
  assert.deepEqual(missing, [], `${what} missing or out of order; the archive has\n${found.join('\n')}`);
}

// The browser fetches icons on its own behalf and tells no DevTools client of it.
const browsersOwn = url => url === '/favicon.ico';

test('every request that reached the server is in the archive', () => {
  const seen = site.log().filter(e => e.kind === 'http' && !browsersOwn(e.url));
  assert.ok(seen.length > 60, 'the witness saw a session');
  const stored = query(archive, 'SELECT method, url FROM request ORDER BY t, n').map(r => `${r.method} ${r.url}`);
  // A connection that breaks before an answer is tried again by the browser's network stack, which tells no DevTools client of it.
  const broken = new Set(), asked = seen.filter(e => !e.aborted || !(broken.has(e.url) || !broken.add(e.url)));
  holdsAll(stored, asked.map(e => `${e.method} http://${e.host}${e.url}`), 'requests of the server log');
});

test('the marked requests of each frame stand in the order in which the server got them', () => {
  const stored = query(archive, 'SELECT method, url FROM request ORDER BY t, n').map(r => `${r.method} ${r.url}`);
  for (const name of marked) {
    const seen = site.log().filter(e => e.kind === 'http' && e.url.includes(`mark=${name}-`)).map(e => `${e.method} http://${e.host}${e.url}`);
    assert.equal(seen.length, rounds);
    holdsInOrder(stored, seen, `requests of ${name}`);
  }
});

test('every request that raw CDP told is in the archive, with every hop of a redirect', () => {
  const seen = witness.of('Network.requestWillBeSent').filter(e => /^https?:/.test(e.params.request.url)).map(e => `${e.params.request.method} ${e.params.request.url}${e.params.request.urlFragment ?? ''}`);
  assert.equal(seen.filter(u => u.includes('/redirect?')).length, 2);
  holdsAll(query(archive, 'SELECT method, url FROM request').map(r => `${r.method} ${r.url}`), seen, 'requests of raw CDP');
});

test('statuses and ends are those of the server', () => {
  const stored = query(archive, 'SELECT url, status FROM requests');
  for (const entry of site.log().filter(e => e.kind === 'http' && e.done && !browsersOwn(e.url) && !e.url.startsWith('/redirect'))) {
    const url = `http://${entry.host}${entry.url}`;
    assert.ok(stored.some(r => r.url === url && r.status === entry.status), `${url} with ${entry.status}`);
  }
  const broken = site.log().find(e => e.url === '/broken');
  assert.equal(broken.aborted, true);
  assert.ok(query(archive, "SELECT error FROM requests WHERE url LIKE '%/broken'").some(r => r.error));
});

test('every console line is there, in the order of its page', () => {
  const text = e => e.params.args.map(a => a.value ?? a.description ?? '').join(' ');
  const stored = query(archive, "SELECT json_extract(payload, '$.text') AS text FROM event WHERE kind = 'console' ORDER BY seq").map(r => r.text);
  const sessions = groupBy(witness.of('Runtime.consoleAPICalled'), e => e.session);
  assert.ok([...sessions.values()].flat().length >= marked.length * rounds + 6);
  for (const events of sessions.values()) holdsInOrder(stored, events.map(text).filter(t => /^(line|a |an )/.test(t) && !t.includes('Object')), 'console lines');
});

test('every uncaught exception is there', () => {
  const seen = witness.of('Runtime.exceptionThrown').map(e => e.params.exceptionDetails.exception?.description?.split('\n')[0]);
  assert.equal(seen.length, 2);
  const stored = query(archive, "SELECT payload FROM event WHERE kind = 'exception' ORDER BY seq").map(r => r.payload);
  for (const one of seen) assert.ok(stored.some(s => s.includes(one.replace(/^\w+: /, ''))), one);
});

test('every dialog is there, in order, with its answer', () => {
  const seen = witness.of('Page.javascriptDialogOpening').map(e => `${e.params.type} ${e.params.message}`);
  assert.deepEqual(seen, ['alert Saved.', 'confirm Delete it?', 'prompt Your name?', 'confirm First?', 'confirm Second?']);
  const stored = query(archive, "SELECT json_extract(payload, '$.type') || ' ' || json_extract(payload, '$.message') AS text FROM event WHERE kind = 'dialog' ORDER BY seq").map(r => r.text);
  holdsInOrder(stored, seen, 'dialogs');
});

test('every document of every frame is there', () => {
  const seen = witness.of('Page.frameNavigated').map(e => e.params.frame).filter(f => /^https?:|^about:srcdoc/.test(f.url)).map(f => `${f.id} ${f.url}`);
  assert.ok(new Set(seen.map(s => s.split(' ')[0])).size >= 12, 'many frames');
  holdsAll(query(archive, 'SELECT frame, url FROM document ORDER BY n').map(d => `${d.frame} ${d.url}`), [...new Set(seen)], 'documents');
});

test('every socket message is there, both ways, in order', () => {
  const seen = site.log().filter(e => e.kind === 'ws-in' || e.kind === 'ws-out').map(e => `${e.kind === 'ws-in' ? 'sent' : 'received'} ${e.data}`);
  assert.deepEqual(seen, ['sent hello 1', 'received hello 1', 'sent AAH+/w==', 'received AAH+/w==']);
  const stored = query(archive, "SELECT sent, opcode, hex(payload) AS hex FROM ws_frame WHERE kind = 'ws' ORDER BY n")
    .map(f => { const bytes = Buffer.from(f.hex, 'hex'); return `${f.sent ? 'sent' : 'received'} ${f.opcode === 2 && !/^[A-Za-z0-9+/=]+$/.test(bytes.toString('latin1')) ? bytes.toString('base64') : bytes.toString('utf8')}`; });
  assert.deepEqual(stored, seen);
});

test('every row that raw CDP saw inserted is in the DOM stream of its own document, in order', () => {
  const inserted = witness.of('DOM.childNodeInserted').map(e => rowText(e.params.node)).filter(Boolean);
  for (const name of marked) {
    const seen = inserted.filter(text => text.startsWith(`row ${name}-`));
    assert.deepEqual(seen, Array.from({ length: rounds }, (_, i) => `row ${name}-${i + 1}`), 'the witness itself');
    const document = query(archive, `SELECT id FROM document WHERE url LIKE '%activity.html?${name === 'main' ? 'frames=1' : `name=${name}`}&%'`);
    assert.equal(document.length, 1);
    const added = domEvents(archive, document[0].id).map(d => d.event).filter(e => e.type === 3 && e.data.source === 0).flatMap(e => e.data.adds.map(a => rowText(a.node) ?? a.node.textContent)).filter(text => text?.startsWith('row '));
    assert.deepEqual([...new Set(added)], seen, `rows of ${name}`);
  }
});

test('attribute changes are in the DOM stream, the last one of each document too', () => {
  const seen = witness.of('DOM.attributeModified').filter(e => e.params.name === 'data-round').map(e => e.params.value);
  assert.equal(seen.length, marked.length * rounds);
  const stored = query(archive, "SELECT id FROM document WHERE url LIKE '%activity.html%'").flatMap(d => domEvents(archive, d.id).map(e => e.event))
    .filter(e => e.type === 3 && e.data.source === 0).flatMap(e => e.data.attributes.map(a => a.attributes['data-round'])).filter(Boolean);
  for (const name of marked) assert.ok(stored.includes(`${name}-${rounds}`), `the last change of ${name}`);
});

test('time and order agree: no fact lies before the one that was seen before it', () => {
  const events = query(archive, 'SELECT seq, t, kind FROM event ORDER BY seq');
  const steps = events.filter(e => ['action', 'read', 'assert'].includes(e.kind));
  assert.deepEqual(steps.map(e => e.t), steps.map(e => e.t).sort((a, b) => a - b));
  for (const document of query(archive, 'SELECT id FROM document')) {
    const times = domEvents(archive, document.id).map(e => e.t);
    assert.deepEqual(times, [...times].sort((a, b) => a - b), `DOM events of document ${document.id}`);
  }
});

test('browx info counts what the tables hold', async () => {
  const told = await info(archive);
  assert.equal(told.sealed, true);
  assert.equal(told.requests.length, query(archive, 'SELECT count(*) AS n FROM request')[0].n);
  assert.equal(told.steps.length, query(archive, "SELECT count(*) AS n FROM event WHERE kind IN ('action', 'read', 'assert')")[0].n);
});

// The text of an inserted row, in CDP's and in rrweb's shape of a node; null for other nodes.
function rowText(node) {
  const children = node.children ?? node.childNodes ?? [], text = node.nodeValue || node.textContent || '';
  if (/^row /.test(text)) return text;
  for (const child of children) { const found = rowText(child); if (found) return found; }
  return null;
}

function groupBy(list, key) {
  const groups = new Map();
  for (const one of list) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}
