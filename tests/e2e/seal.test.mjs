// The end of the program with a recording running: sealed within a second of the end of stdin or of SIGTERM, gone before a client
// sends SIGKILL (two seconds), whatever the page, an action or a server in the world is doing at that moment. When a file was sealed is
// read from the file itself (manifest.ended, the server's clock) and from the moment its -wal went.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { query } from '../support/archive.mjs';
import { info, temporaryFolder } from '../support/browx.mjs';
import { gone, startedBy } from '../support/processes.mjs';
import { RawServer } from '../support/raw_stdio.mjs';
import { startSite } from '../support/serve.mjs';

const kSeal = 1000, kEnd = 2000;
let site;
before(async () => { site = await startSite(); });
after(() => site.close());

/// Calls `told` with the time when `file` is gone.
function whenGone(file, told) {
  const watcher = fs.watch(path.dirname(file), () => {
    if (fs.existsSync(file)) return;
    told(Date.now());
    watcher.close();
  });
  return watcher;
}

const ends = { 'the end of stdin': server => server.end(), SIGTERM: server => server.kill('SIGTERM') };
const busy = {
  'a large page at rest': async () => {},
  // Once the page has said that it is about to hang, no answer comes from it any more.
  'a page that hangs': async server => {
    server.send({ jsonrpc: '2.0', id: 'hang', method: 'tools/call', params: { name: 'eval_js',
      arguments: { expr: 'setTimeout(() => { for (;;); }, 0); 1', timeoutMs: 5000 } } });
    await server.line(l => l.id === 'hang');
  },
  'an action that waits': async server => {
    server.send({ jsonrpc: '2.0', id: 'wait', method: 'tools/call', params: { name: 'wait_for', arguments: { selector: '#never', timeoutMs: 60000 } } });
    await server.tool('seen', 'list_sessions');
  },
  'an image that never comes': async server => {
    await server.tool('image', 'eval_js', { expr: 'new Image().src = "/hold/never"; 1', timeoutMs: 30000 });
  },
};

for (const [how, end] of Object.entries(ends)) {
  for (const [what, begin] of Object.entries(busy)) {
    test(`${how} seals the recording of ${what} within a second`, async t => {
      const workspace = temporaryFolder();
      const server = new RawServer({ env: { BROWX_WORKSPACE: workspace, BROWX_CAPABILITIES: 'read,navigation,action,human,eval,replay' } });
      t.after(() => server.kill('SIGKILL'));
      await server.initialize();
      const ok = async (id, name, args) => {
        const { structuredContent } = await server.tool(id, name, { timeoutMs: 60000, ...args });
        assert.equal(structuredContent.ok, true, JSON.stringify(structuredContent));
        return structuredContent;
      };
      await ok(1, 'navigate', { url: site.url('/pages/table.html?rows=3000') });
      const { replay } = await ok(2, 'start_recording', { flowName: 'ended', replay: { tier: 'replay' }, timeoutMs: undefined });
      await ok(3, 'fill', { selector: '#filter', value: 'Invoice 29' });
      await begin(server);
      const file = replay?.absolutePath ?? path.join(workspace, fs.readdirSync(workspace, { recursive: true }).find(f => f.endsWith('.browx')));
      const started = startedBy(server.process.pid, workspace);
      let walGone;
      const watcher = whenGone(`${file}-wal`, at => { walGone ??= at; });
      t.after(() => watcher.close());

      const began = Date.now();
      const { code, signal } = await end(server), over = Date.now() - began;
      assert.deepEqual({ code, signal }, { code: 0, signal: null }, server.stderr);
      const [{ value }] = query(file, "SELECT value FROM manifest WHERE key = 'ended'"), ended = JSON.parse(value);
      t.diagnostic(`ended ${ended.wall_ms - began} ms, one file ${walGone - began} ms, process ${over} ms`);
      assert.ok(ended.wall_ms - began <= kSeal, `ended after ${ended.wall_ms - began} ms`);
      assert.equal(fs.existsSync(`${file}-wal`), false, 'more than one file is left');
      assert.ok(walGone - began <= kSeal, `one file after ${walGone - began} ms`);
      assert.ok(over <= kEnd, `the process ended after ${over} ms`);
      assert.equal(ended.reason, 'shutdown');

      const told = await info(file);
      assert.equal(told.partial, false, 'it is whole');
      assert.deepEqual(told.steps.filter(s => s.ok).map(s => s.tool).slice(0, 1), ['fill']);
      assert.equal(query(file, "SELECT count(*) AS n FROM artifact WHERE name = 'flow.yaml'")[0].n, 1);
      assert.deepEqual((await gone(started)).map(p => p.pid), [], 'a process is left');
    });
  }
}
