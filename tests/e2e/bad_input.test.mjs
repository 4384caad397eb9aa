// What goes in wrong comes out as a clear message with the remedy and the documented code, and nothing is lost.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { cli, info, temporaryFolder } from '../support/browx.mjs';
import { gone, startedBy } from '../support/processes.mjs';
import { RawServer } from '../support/raw_stdio.mjs';
import { startSite } from '../support/serve.mjs';

const wreckage = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../archive/wreckage');
const site = await startSite();
after(() => site.close());

function start(t, options = {}) {
  const workspace = options.env?.BROWX_WORKSPACE ?? temporaryFolder();
  const server = new RawServer({ ...options, env: { BROWX_WORKSPACE: workspace, BROWX_CAPABILITIES: 'read,navigation,action,human,replay', ...options.env } });
  t.after(() => server.kill('SIGKILL'));
  return server;
}

test('a line that is no JSON, no message or an unknown method has its own code, and the next line is served', async t => {
  const server = start(t);
  server.send('{"jsonrpc": "2.0", "id": 1, "method":');
  assert.equal((await server.line(l => l.error?.code === -32700)).error.code, -32700);
  server.send('{"hello": "world"}');
  await server.line(l => l.error?.code === -32600);
  await server.initialize();
  assert.equal((await server.request(2, 'no/such')).error.code, -32601);
  assert.equal((await server.request(3, 'tools/call', { name: 'no_such_tool', arguments: {} })).error.code, -32602);
  assert.ok((await server.request(4, 'tools/list')).result.tools.length > 20);
});

test('an unknown parameter is an answer with its pointer, and nothing is done', async t => {
  const server = start(t);
  await server.initialize();
  for (const [name, args, pointer] of [
    ['navigate', { url: site.url('/pages/form.html'), speed: 9 }, '/speed'],
    ['navigate', {}, '/url'],
    ['click', { coords: { x: 'left', y: 1 } }, '/coords/x'],
    ['set_viewport', { width: 0, height: 600 }, '/width'],
    ['scroll', { to: 'sideways' }, '/to'],
  ]) {
    const result = await server.tool(`${name}${pointer}`, name, args);
    assert.equal(result.isError, true, name);
    assert.equal(result.structuredContent.code, 'invalid-argument');
    assert.equal(result.structuredContent.pointer, pointer);
    assert.ok(result.structuredContent.expected);
  }
  assert.equal(site.log().length, 0);
  assert.deepEqual(startedBy(server.process.pid, server.workspace), [], 'no browser was started for it');
});

test('a target must be exactly one', async t => {
  const server = start(t);
  await server.initialize();
  for (const args of [{}, { ref: 'e1', selector: 'a' }]) {
    const { structuredContent } = await server.tool(JSON.stringify(args), 'click', args);
    assert.equal(structuredContent.code, 'invalid-argument');
  }
});

test('a missing Chromium is said with the remedy, and the server goes on', async t => {
  const server = start(t, { env: { BROWX_CHROMIUM: '/nowhere/chromium' } });
  await server.initialize();
  const { structuredContent } = await server.tool(1, 'navigate', { url: site.url('/pages/form.html') });
  assert.equal(structuredContent.ok, false);
  assert.match(structuredContent.error, /\/nowhere\/chromium/);
  assert.match(JSON.stringify(structuredContent), /BROWX_CHROMIUM|install/);
  assert.equal((await server.tool(2, 'list_sessions')).structuredContent.ok, true);
});

test('a workspace that cannot be written is named, and the session lives on', async t => {
  const file = path.join(temporaryFolder(), 'file');
  fs.writeFileSync(file, '');
  const server = start(t, { env: { BROWX_WORKSPACE: path.join(file, 'below') } });
  const answered = server.initialize().then(() => server.tool(1, 'start_recording', { flowName: 'x', replay: {} }));
  const told = await Promise.race([answered.then(r => JSON.stringify(r.structuredContent)), server.ended.then(() => server.stderr)]);
  assert.match(told, new RegExp(path.basename(file)));
  assert.match(told, /BROWX_WORKSPACE|workspace/);
});

test('unknown capabilities, toolsets and options end the program with the list of valid ones', async () => {
  for (const [args, env, wanted] of [
    [['mcp'], { BROWX_CAPABILITIES: 'read,fly' }, /fly[\s\S]*replay/],
    [['mcp'], { BROWX_TOOLSETS: 'core,nosuch' }, /nosuch[\s\S]*lean/],
    [['mcp'], { BROWX_RECORD: 'everything' }, /everything[\s\S]*reexecutable/],
    [['mcp', '--nosuch'], {}, /nosuch/],
    [['nosuch'], {}, /nosuch|info/],
  ]) {
    const { code, stdout, stderr } = await cli(args, { env: { BROWX_WORKSPACE: temporaryFolder(), ...env } });
    assert.notEqual(code, 0, `${args} ${JSON.stringify(env)}`);
    assert.match(stderr, wanted);
    assert.equal(stdout, '', 'stdout belongs to the protocol');
  }
});

test('foreign and damaged files are told apart', async () => {
  const folder = temporaryFolder();
  const names = fs.readdirSync(wreckage).filter(f => f.endsWith('.browx'));
  assert.equal(names.length, 6);
  for (const name of names) {
    const file = path.join(folder, name);
    fs.copyFileSync(path.join(wreckage, name), file);
    const { code, stderr, stdout } = await cli(['info', file]);
    assert.notEqual(code, 0, name);
    assert.match(stderr + stdout, /not-an-archive/, name);
    assert.deepEqual(fs.readFileSync(file), fs.readFileSync(path.join(wreckage, name)), `${name} was changed`);
  }
  assert.equal(fs.readdirSync(folder).length, names.length, 'nothing was left beside them');
  assert.match((await cli(['info', path.join(folder, 'none.browx')])).stderr, /not-found/);
  assert.match((await cli(['info', folder])).stderr, /not-a-file/);
});

for (const [how, end] of [['the end of stdin', s => s.end()], ['SIGTERM', async s => { const began = performance.now(); return { ...(await s.kill('SIGTERM')), milliseconds: performance.now() - began }; }]]) {
  test(`${how} seals the recording within a second and leaves no process`, async t => {
    const server = start(t);
    await server.initialize();
    await server.tool(1, 'open_session', { url: site.url('/pages/table.html?rows=500'), timeoutMs: 30000 });
    const { structuredContent: began } = await server.tool(2, 'start_recording', { flowName: 'ended from outside', replay: { tier: 'replay' }, timeoutMs: 30000 });
    assert.equal(began.ok, true, JSON.stringify(began));
    await server.tool(3, 'click', { selector: 'role=button[name="Approve"] >> nth=3', timeoutMs: 30000 });
    const started = startedBy(server.process.pid, server.workspace);
    assert.ok(started.length > 1, 'the browser runs');
    const { milliseconds } = await end(server);
    assert.ok(milliseconds < 1500, `it took ${milliseconds} ms`);
    assert.deepEqual(await gone(started), []);
    const files = fs.readdirSync(server.workspace, { recursive: true }).filter(f => f.endsWith('.browx'));
    assert.equal(files.length, 1);
    const told = await info(path.join(server.workspace, files[0]));
    assert.equal(told.sealed, true);
    assert.equal(told.steps.filter(s => s.tool === 'click').length, 1);
  });
}
