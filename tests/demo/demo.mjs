#!/usr/bin/env node
// ./dev demo: serves the demo app, records four acceptance criteria on it through `browx mcp` and the official MCP client, and lets
// `browx info` tell what the file holds.      node tests/demo/demo.mjs --browx build/release/cli/browx --out out/demo
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { startApp } from '../app/server.mjs';
import { cli } from '../support/browx.mjs';
import { criteria, record, secrets } from './record.mjs';

const { values } = parseArgs({ options: { browx: { type: 'string' }, out: { type: 'string' } } });
const out = path.resolve(values.out ?? 'out/demo'), bin = path.resolve(values.browx ?? 'build/release/cli/browx');
const here = name => path.relative(process.cwd(), path.join(out, name));

fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(out, { recursive: true });

const app = await startApp();
try {
  console.log(`the app: ${app.url}, its payment frame: ${app.payUrl}\n`);
  const recorded = await record({ bin, workspace: path.join(out, 'workspace'), app, tell(tool, args, milliseconds) {
    if (tool === 'record_annotate' && args.phase === 'start') console.log(`\n${args.label}: ${criteria[args.label]}`);
    else if (tool !== 'record_annotate') console.log(`  ${tool.padEnd(16)} ${JSON.stringify(args).slice(0, 88).padEnd(88)} ${String(Math.round(milliseconds)).padStart(5)} ms`);
  } });
  fs.copyFileSync(recorded.file, path.join(out, 'demo.browx'));
  fs.writeFileSync(path.join(out, 'demo.flow.yaml'), recorded.yaml);

  // Short ones (an expiry date, three digits) may be part of something else; the long ones would be here only if they had been kept.
  const bytes = fs.readFileSync(recorded.file).toString('latin1') + recorded.yaml;
  for (const [name, value] of Object.entries(secrets)) if (value.length > 5 && bytes.includes(value)) throw new Error(`the value of ${name} is in the recording`);

  console.log(`\n== browx info ${here('demo.browx')}\n`);
  const told = await cli(['info', path.join(out, 'demo.browx')], { bin });
  process.stdout.write(told.stdout);
  if (told.code !== 0) throw new Error(`browx info ended with ${told.code}: ${told.stderr}`);
  const { coverage } = JSON.parse((await cli(['info', '--json', path.join(out, 'demo.browx')], { bin })).stdout);
  for (const label of Object.keys(criteria)) {
    const state = coverage.find(one => one.id === label)?.state ?? 'missing';
    if (state !== 'passed') throw new Error(`${label} is '${state}' in the recording, not 'passed'`);
  }
  console.log(`\nrecording  ${here('demo.browx')}\nflow       ${here('demo.flow.yaml')}`);
} catch (error) {
  console.error(`\nthe demo failed: ${error.message}`);
  process.exitCode = 1;
} finally {
  await app.close();
}
