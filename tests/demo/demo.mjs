#!/usr/bin/env node
// ./dev demo: records a session on the fixture pages through `browx mcp` and the official MCP client, then lets `browx info`
// tell what the file holds.      node tests/demo/demo.mjs --browx build/release/cli/browx --out out/demo
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { cli, Server } from '../support/browx.mjs';
import { startSite } from '../support/serve.mjs';

const { values } = parseArgs({ options: { browx: { type: 'string' }, out: { type: 'string' } } });
const out = path.resolve(values.out ?? 'out/demo'), bin = path.resolve(values.browx ?? 'build/release/cli/browx');
const password = 'correct horse battery staple';

fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(out, { recursive: true });

const site = await startSite();
let server;
try {
  server = await Server.start({ bin, workspace: path.join(out, 'workspace'), capabilities: 'read,navigation,action,human,replay,secrets' });
  const step = async (tool, args) => {
    const began = performance.now(), answer = await server.ok(tool, args);
    console.log(`${tool.padEnd(16)} ${JSON.stringify(args).slice(0, 86).padEnd(86)} ${String(Math.round(performance.now() - began)).padStart(5)} ms`);
    return answer;
  };
  const criterion = async (label, copy, work) => {
    await step('record_annotate', { label, phase: 'start', copy });
    await work();
    await step('record_annotate', { label, phase: 'end' });
  };

  await step('open_session', { session: 'default', viewport: { width: 1280, height: 720 } });
  await server.ok('register_secret', { name: 'PASSWORD', value: password });
  await step('start_recording', { flowName: 'Sign in and approve', replay: { tier: 'replay' } });

  await criterion('AC-1', 'A known user can sign in', async () => {
    await step('navigate', { url: site.url('/pages/form.html') });
    await step('fill', { selector: 'role=textbox[name="Name"]', value: 'Ada Lovelace' });
    await step('fill', { selector: 'role=textbox[name="Password"]', value: '<PASSWORD>' });
    await step('select', { selector: 'role=combobox[name="City"]', values: ['Oslo'] });
    await step('click', { selector: 'role=checkbox[name="I accept the terms"]' });
    await step('click', { selector: 'role=button[name="Sign in"]' });
    await step('wait_for', { text: 'Welcome, Ada Lovelace' });
    await step('verify_text', { selector: 'role=status', text: 'Welcome, Ada Lovelace' });
    await step('verify_value', { selector: 'role=textbox[name="Name"]', value: 'Ada Lovelace' });
  });

  await criterion('AC-2', 'Buttons work in frames of this and of another site', async () => {
    await step('navigate', { url: site.url('/pages/frames.html') });
    for (const name of ['same', 'cross', 'far-nested-near']) {
      const ref = await server.ref('button', `Press ${name}`);
      await step('click', { ref });
    }
    await step('verify_text', { selector: '#log', text: 'same:true cross:true far-nested-near:true' });
  });

  await step('navigate', { url: site.url('/pages/table.html?rows=8') });
  await step('click', { selector: 'tr:has-text("Invoice 7") >> role=button[name="Approve"]' });
  await step('verify_text', { selector: 'role=status', text: 'Invoice 7 approved' });
  await step('verify_count', { selector: 'tbody tr', n: 8 });

  const ended = await step('end_recording', {});
  await server.close();
  server = null;

  const file = path.join(out, 'demo.browx');
  fs.renameSync(ended.replay.absolutePath, file);
  fs.writeFileSync(path.join(out, 'flow.yaml'), ended.yaml);
  if (fs.readFileSync(file).includes(password)) throw new Error('the password is in the archive');

  console.log(`\n== browx info ${path.relative(process.cwd(), file)}\n`);
  const told = await cli(['info', file], { bin });
  process.stdout.write(told.stdout);
  if (told.code !== 0) throw new Error(`browx info ended with ${told.code}: ${told.stderr}`);
  console.log(`\nrecording  ${file}\nflow       ${path.join(out, 'flow.yaml')}`);
} catch (error) {
  console.error(`\nthe demo failed: ${error.message}`);
  if (server) console.error(server.stderr);
  process.exitCode = 1;
} finally {
  await server?.close();
  await site.close();
}
