#!/usr/bin/env node
// ./dev demo: serves the demo app, records four acceptance criteria on it through `browx mcp` and the official MCP client, generates a
// test from the recording, runs the test on the app, and takes pictures of the player.
//
//   node tests/demo/demo.mjs --browx build/release/cli/browx [--player build/release/player/browx-player] [--out out/demo]
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

import { startApp } from '../app/server.mjs';
import { cli, info } from '../support/browx.mjs';
import { play } from './play.mjs';
import { criteria, record, secrets } from './record.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const { values } = parseArgs({ options: { browx: { type: 'string' }, player: { type: 'string' }, out: { type: 'string' } } });
const out = path.resolve(values.out ?? 'out/demo'), bin = path.resolve(values.browx ?? 'build/release/cli/browx');
const inOut = name => path.join(out, name), shown = file => path.relative(process.cwd(), file);
const archive = inOut('demo.browx');

/// A picture of the player's window, under a display of its own when there is none.
async function picture(name, ...args) {
  const command = [path.resolve(values.player), archive, '--shot', inOut(name), ...args];
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) command.unshift('xvfb-run', '-a', '-s', '-screen 0 1600x1000x24');
  await promisify(execFile)(command[0], command.slice(1), { timeout: 120_000 });
}

async function generate(target, name) {
  const made = await cli(['generate', archive, '--target', target], { bin });
  if (made.code !== 0) throw new Error(`browx generate --target ${target} ended with ${made.code}: ${made.stderr}`);
  fs.writeFileSync(inOut(name), made.stdout);
  return made.stdout;
}

/// The end of the last step of a criterion, as the player's --at takes it.
function endOf(label, steps) {
  const last = steps.filter(step => step.span === label).at(-1);
  return `${Math.ceil(last.t + last.durationMs)}ms`;
}

function check(recorded, { coverage }) {
  for (const label of Object.keys(criteria)) {
    const state = coverage.find(one => one.id === label)?.state ?? 'missing';
    if (state !== 'passed') throw new Error(`${label} is '${state}' in the recording, not 'passed'`);
  }
  // Short ones (an expiry date, three digits) may be part of something else; the long ones would be here only if they had been kept.
  const bytes = fs.readFileSync(archive).toString('latin1') + recorded.yaml;
  for (const [name, value] of Object.entries(secrets)) if (value.length > 5 && bytes.includes(value)) throw new Error(`the value of ${name} is in the recording`);
}

async function demo(app) {
  console.log(`the app: ${app.url}, its payment frame: ${app.payUrl}\n`);
  const recorded = await record({ bin, workspace: inOut('workspace'), app, tell(tool, args, milliseconds) {
    if (tool === 'record_annotate' && args.phase === 'start') console.log(`\n${args.label}: ${criteria[args.label]}`);
    else if (tool !== 'record_annotate') console.log(`  ${tool.padEnd(16)} ${JSON.stringify(args).slice(0, 88).padEnd(88)} ${String(Math.round(milliseconds)).padStart(5)} ms`);
  } });
  fs.copyFileSync(recorded.file, archive);
  const about = await info(archive, { bin });
  check(recorded, about);
  await generate('yaml', 'demo.flow.yaml');
  const spec = await generate('playwright', 'demo.spec.ts');

  const pictures = values.player ? ['player-coverage.png', 'player-steps.png'] : [];
  if (values.player) {
    console.log('\ntaking pictures of the player');
    await picture(pictures[0], '--at', endOf('AC-4', about.steps), '--panel', 'coverage');
    await picture(pictures[1], '--at', endOf('AC-2', about.steps), '--panel', 'steps', '--theme', 'light');
  }

  console.log('running the generated test with Playwright');
  const played = await play({ spec, url: app.url, folder: out });
  if (!played.passed) throw new Error(`${shown(inOut('demo.spec.ts'))} fails on the app that it was recorded on (more in ${shown(played.output)}):\n${played.error}`);
  for (const { title } of played.steps.filter(step => /^AC-\d/.test(step.title))) console.log(`  ok  ${title}`);

  const { steps, coverage } = about, line = (name, text) => console.log(`${name.padEnd(12)}${text}`);
  console.log('');
  line('recording', `${shown(archive)}   ${Math.round(fs.statSync(archive).size / 1024)} KiB, ${(about.durationMs / 1000).toFixed(1)} s, ${steps.length} steps, ${coverage.length} criteria passed`);
  line('flow', shown(inOut('demo.flow.yaml')));
  line('test', `${shown(inOut('demo.spec.ts'))}   passed in ${(played.milliseconds / 1000).toFixed(1)} s`);
  for (const name of pictures) line('picture', shown(inOut(name)));
  console.log('');
  if (values.player) line('open it', `${shown(path.resolve(values.player))} ${shown(archive)}`);
  line('ask it', `${shown(bin)} info ${shown(archive)}`);
  line('the app', 'node tests/app/server.mjs --help');
}

if (!(out + path.sep).startsWith(root + path.sep)) {
  console.error(`--out must lie below ${root}, where the generated test finds @playwright/test`);
  process.exit(2);
}
fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(out, { recursive: true });
const app = await startApp();
try {
  await demo(app);
} catch (error) {
  console.error(`\nthe demo failed: ${error.stderr || error.message}`);
  process.exitCode = 1;
} finally {
  await app.close();
}
