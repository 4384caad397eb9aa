// The official clients of both generations against `browx mcp`, and what they would never send. No browser is started.
import { once } from 'node:events';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

import { browx, cli, Server, temporaryFolder, textOf } from '../support/browx.mjs';
import { startedBy } from '../support/processes.mjs';
import { RawServer } from '../support/raw_stdio.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const files = fs.readdirSync(path.join(root, 'schemas/tools/core')).map(f => f.replace('.json', '')).sort();
const META = 'io.modelcontextprotocol/';
const meta = (version = '2026-07-28') => ({ _meta: { [META + 'protocolVersion']: version, [META + 'clientCapabilities']: {} } });

for (const era of ['legacy', 'auto', '2026-07-28']) {
  test(`client 2.4.0, ${era}: lists every tool and gets structured answers`, async t => {
    const server = await Server.start({ era });
    t.after(() => server.close());
    const { tools } = await server.client.listTools();
    assert.deepEqual(tools.map(tool => tool.name).sort(), files);
    for (const tool of tools) {
      assert.equal(tool.inputSchema.type, 'object', tool.name);
      assert.equal(tool.inputSchema.additionalProperties, false, tool.name);
      assert.ok(tool.description && tool.title && tool.outputSchema && tool.annotations, tool.name);
      assert.equal('capability' in tool, false, tool.name);
    }
    const result = await server.raw('list_sessions');
    assert.deepEqual(result.structuredContent, { ok: true, sessions: [] });
    assert.deepEqual(JSON.parse(textOf(result)), result.structuredContent);
    assert.deepEqual((await server.client.listResources()).resources, []);
    await assert.rejects(server.raw('no_such_tool'), /no_such_tool/);
    assert.deepEqual(startedBy(server.pid, server.workspace), [], 'no browser was started');
  });
}

test('sdk 1.32.2: the same tools, and its own check of the answers passes', async t => {
  const client = new OldClient({ name: 'old', version: '1' });
  await client.connect(new OldTransport({ command: browx(), args: ['mcp'], env: { ...process.env, BROWX_WORKSPACE: temporaryFolder() }, stderr: 'ignore' }));
  t.after(() => client.close());
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(tool => tool.name).sort(), files);
  assert.deepEqual((await client.callTool({ name: 'list_sessions', arguments: {} })).structuredContent, { ok: true, sessions: [] });
  const refused = await client.callTool({ name: 'click', arguments: { speed: 3 } });
  assert.equal(refused.isError, true);
  assert.equal(refused.structuredContent.pointer, '/speed');
});

function raw(t, options = {}) {
  const server = new RawServer({ ...options, env: { BROWX_WORKSPACE: temporaryFolder(), ...options.env } });
  t.after(() => server.kill('SIGKILL'));
  return server;
}

test('both eras share one process, each message by itself', async t => {
  const server = raw(t);
  const discovered = (await server.request('d', 'server/discover', meta())).result;
  assert.deepEqual(discovered.supportedVersions, ['2026-07-28']);
  assert.equal(discovered.resultType, 'complete');
  assert.equal((await server.request(1, 'tools/list')).error.code, -32602, 'no handshake yet');
  assert.equal((await server.request(2, 'tools/list', meta())).result.tools.length, files.length);
  assert.equal((await server.request(3, 'tools/list', meta('2027-01-01'))).error.code, -32022);
  assert.equal((await server.initialize('2024-11-05')).result.protocolVersion, '2025-11-25');
  const legacy = (await server.request(4, 'tools/list')).result;
  assert.equal('resultType' in legacy, false);
  assert.equal((await server.request(5, 'ping', meta())).error.code, -32601);
  assert.deepEqual((await server.request(6, 'ping')).result, {});
});

test('a peer of 2025-03-26 may batch and gets only keys it knows', async t => {
  const server = raw(t);
  await server.initialize('2025-03-26');
  server.send([{ jsonrpc: '2.0', id: 1, method: 'ping' }, { jsonrpc: '2.0', id: 2, method: 'tools/list' }]);
  const answers = await server.line(Array.isArray);
  assert.deepEqual(answers.map(a => a.id).sort(), [1, 2]);
  const tool = answers.find(a => a.id === 2).result.tools[0];
  assert.deepEqual(Object.keys(tool).sort(), ['annotations', 'description', 'inputSchema', 'name']);
});

test('a line over 64 MiB is refused and the next one is served', async t => {
  const server = raw(t);
  server.process.stdin.write('"' + 'x'.repeat((64 << 20) + 10) + '"\n');
  await server.line(l => l.error?.code === -32600);
  assert.ok((await server.request(1, 'server/discover', meta())).result);
});

test('a tool whose capability is off says which one it needs', async t => {
  const server = raw(t);
  await server.initialize();
  const { isError, structuredContent } = await server.tool(1, 'eval_js', { expr: '1' });
  assert.equal(isError, true);
  assert.equal(structuredContent.code, 'capability-denied');
  assert.equal(structuredContent.requiredCapability, 'eval');
  assert.ok(structuredContent.error);
  assert.deepEqual(startedBy(server.process.pid, server.workspace), []);
});

test('a batch is checked whole before its first call', async t => {
  const server = raw(t);
  await server.initialize();
  for (const [calls, pointer] of [
    [[{ tool: 'list_sessions' }], '/calls/0/tool'],
    [[{ tool: 'click', args: { selector: 'a' } }, { tool: 'batch' }], '/calls/1/tool'],
    [[{ tool: 'click', args: { selector: 'a', speed: 1 } }], '/calls/0/args/speed'],
    [[{ tool: 'click', args: {} }], '/calls/0/args'],
    [[{ tool: 'click', args: { selector: 'a', session: 'other' } }], '/calls/0/args/session'],
    [[{ tool: 'snapshot', expect: { valueEquals: 'x' } }], '/calls/0/expect'],
    [[], '/calls'],
  ]) {
    const { structuredContent } = await server.tool(JSON.stringify(calls), 'batch', { calls });
    assert.equal(structuredContent.code, 'invalid-argument', JSON.stringify(structuredContent));
    assert.equal(structuredContent.pointer, pointer);
  }
});

test('BROWX_TOOLSETS and --toolsets choose what is listed and what can be called', async t => {
  const server = raw(t, { args: ['mcp', '--toolsets', 'lean'] });
  await server.initialize();
  const names = (await server.request(1, 'tools/list')).result.tools.map(tool => tool.name);
  assert.ok(names.includes('end_recording') && !names.includes('eval_js'));
  assert.equal((await server.request(2, 'tools/call', { name: 'eval_js', arguments: { expr: '1' } })).error.code, -32602);
});

test('eval on is announced on stderr', async t => {
  const server = raw(t, { env: { BROWX_CAPABILITIES: 'read,eval' } });
  await server.initialize();
  while (!server.stderr) await once(server.process.stderr, 'data');  // two pipes keep no order between them
  assert.match(server.stderr, /eval/);
});

for (const [how, end] of [['the end of stdin', s => s.end()], ['SIGTERM', s => s.kill('SIGTERM')], ['SIGINT', s => s.kill('SIGINT')]]) {
  test(`${how} ends an idle server before a client would kill it, with status 0`, async t => {
    const server = raw(t);
    await server.initialize();
    const began = performance.now(), { code, signal } = await end(server);
    assert.ok(performance.now() - began < 2000);
    assert.deepEqual({ code, signal }, { code: 0, signal: null });
  });
}

test('what was asked right before the end of stdin is answered', async t => {
  const server = raw(t);
  server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_sessions', arguments: {}, ...meta() } });
  await server.end();
  assert.equal(server.lines[0].result.structuredContent.ok, true);
});

test('docs/tools.md is what browx tools prints', async () => {
  const { stdout } = await cli(['tools']);
  assert.equal(fs.readFileSync(path.join(root, 'docs/tools.md'), 'utf8'), stdout, 'run: browx tools > docs/tools.md');
});

test('browx --version, --help and doctor --json say what they should', async () => {
  assert.match((await cli(['--version'])).stdout, /^browx \d+\.\d+\.\d+/);
  const help = await cli(['mcp', '--help']);
  assert.match(help.stdout, /--capabilities[\s\S]*BROWX_CAPABILITIES/);
  const { code, stdout } = await cli(['doctor', '--json'], { env: { BROWX_WORKSPACE: temporaryFolder() } });
  const told = JSON.parse(stdout), check = name => told.checks.find(c => c.check === name);
  assert.equal(code, told.ok ? 0 : 1);
  for (const name of ['chromium', 'chromium starts', 'sandbox', 'display', 'fonts', 'workspace', 'versions']) assert.ok(check(name), name);
  assert.equal(check('chromium starts').status, 'ok', JSON.stringify(told));
  const broken = await cli(['doctor', '--json', '--chromium', '/nowhere/chromium'], { env: { BROWX_WORKSPACE: '/proc/no/where' } });
  assert.equal(broken.code, 1);
  const found = JSON.parse(broken.stdout).checks;
  for (const name of ['chromium', 'workspace']) {
    assert.equal(found.find(c => c.check === name).status, 'fail');
    assert.ok(found.find(c => c.check === name).remedy, name);
  }
});
