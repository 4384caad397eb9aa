// Cancellation, deadlines, sessions side by side, and recordings that begin by themselves.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, test } from 'node:test';

import { Server, temporaryFolder } from '../support/browx.mjs';
import { gone, startedBy } from '../support/processes.mjs';
import { RawServer } from '../support/raw_stdio.mjs';
import { startSite } from '../support/serve.mjs';

const site = await startSite();
after(() => site.close());

async function raw(t, env = {}) {
  const server = new RawServer({ env: { BROWX_WORKSPACE: temporaryFolder(), BROWX_CAPABILITIES: 'read,navigation,action,human,eval,replay', ...env } });
  t.after(() => server.kill('SIGKILL'));
  await server.initialize();
  return server;
}

test('a cancelled call is never answered, and the next call of its session runs', async t => {
  const server = await raw(t);
  await server.tool(1, 'navigate', { url: site.url('/pages/form.html') });
  server.send({ jsonrpc: '2.0', id: 'long', method: 'tools/call', params: { name: 'wait_for', arguments: { selector: '#never', timeoutMs: 60000 } } });
  server.send({ jsonrpc: '2.0', id: 'behind', method: 'tools/call', params: { name: 'wait_for', arguments: { selector: '#never', timeoutMs: 60000 } } });
  server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'behind' } });
  server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'long' } });
  const read = await server.tool(2, 'snapshot');
  assert.equal(read.structuredContent.ok, true);
  assert.equal(server.lines.some(l => l.id === 'long' || l.id === 'behind'), false);
});

test('calls of one session run in order of arrival, other sessions beside them', async t => {
  const server = await raw(t);
  await server.tool(1, 'navigate', { url: site.url('/pages/form.html') });
  await server.tool(2, 'navigate', { session: 'other', url: site.url('/pages/form.html') });
  const send = (id, args) => server.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'wait_for', arguments: args } });
  send('a1', { selector: '#never', timeoutMs: 1500 });
  send('a2', { selector: 'h1' });
  send('b1', { selector: 'h1', session: 'other' });
  await server.line(l => l.id === 'a2');
  assert.deepEqual(server.lines.filter(l => /^[ab]\d$/.test(l.id)).map(l => l.id), ['b1', 'a1', 'a2']);
});

test('a page that hangs answers timeout within its deadline and stops no other session', async t => {
  const server = await raw(t);
  await server.tool(1, 'navigate', { url: site.url('/pages/form.html') });
  await server.tool(2, 'navigate', { session: 'other', url: site.url('/pages/form.html') });
  const began = performance.now();
  const hung = server.tool(3, 'eval_js', { expr: 'while (true);', timeoutMs: 700 });
  assert.equal((await server.tool(4, 'click', { session: 'other', selector: '[name=terms]' })).structuredContent.ok, true);
  const { structuredContent } = await hung;
  assert.equal(structuredContent.code, 'timeout', JSON.stringify(structuredContent));
  const read = (await server.tool(5, 'snapshot', { timeoutMs: 500 })).structuredContent;
  assert.equal(read.code, 'timeout', JSON.stringify(read));
  assert.ok(performance.now() - began < 6000);
});

test('progress of a batch is told to who asks', async t => {
  const server = await raw(t);
  await server.tool(1, 'navigate', { url: site.url('/pages/form.html') });
  const calls = [{ tool: 'wait_for', args: { selector: 'h1' } }, { tool: 'wait_for', args: { selector: 'h1' } }];
  await server.request(2, 'tools/call', { name: 'batch', arguments: { calls }, _meta: { progressToken: 'p' } });
  const told = server.lines.filter(l => l.method === 'notifications/progress').map(l => l.params);
  assert.deepEqual(told.map(p => [p.progressToken, p.progress, p.total]), [['p', 1, 2], ['p', 2, 2]]);
});

test('BROWX_RECORD records every session, makes way for a named recording and goes on after it', async t => {
  const workspace = temporaryFolder();
  const server = await Server.start({ workspace, env: { BROWX_RECORD: 'replay', BROWX_CAPABILITIES: 'read,navigation,action,human' } });
  t.after(() => server.close().catch(() => {}));
  const archives = () => fs.readdirSync(workspace, { recursive: true }).filter(f => f.endsWith('.browx')).length;
  await server.ok('navigate', { url: site.url('/pages/form.html') });
  const recording = async () => (await server.ok('list_sessions')).sessions[0].recording;
  assert.equal((await recording()).automatic, true);
  assert.equal(archives(), 1);
  await server.ok('start_recording', { flowName: 'named', replay: {} });
  assert.equal((await recording()).automatic, false);
  await server.ok('click', { selector: '[name=terms]' });
  const ended = await server.ok('end_recording');
  assert.equal(ended.stepCount, 1);
  assert.equal((await recording()).automatic, true);
  assert.equal(archives(), 3);
  const started = startedBy(server.pid, workspace);
  assert.ok(started.length > 1, 'the browser runs');
  await server.close();
  assert.deepEqual(await gone(started), []);
});
