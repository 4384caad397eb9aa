#!/usr/bin/env node
// Latency, size and memory of `browx mcp` over stdio, through the official client, beside the same work over raw CDP in the same
// browser. Prints a Markdown table; a row over its budget is marked, never left out.
//   node bench/mcp_latency.mjs --browx build/release/cli/browx [--repeat 30]
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { Server, textOf } from '../tests/support/browx.mjs';
import { CdpWitness } from '../tests/support/cdp_witness.mjs';
import { RawServer } from '../tests/support/raw_stdio.mjs';
import { startSite } from '../tests/support/serve.mjs';

const { values } = parseArgs({ options: { browx: { type: 'string' }, repeat: { type: 'string', default: '30' } } });
const bin = path.resolve(values.browx ?? 'build/release/cli/browx'), repeat = Number(values.repeat);

const quantile = (samples, p) => [...samples].sort((a, b) => a - b)[Math.min(samples.length - 1, Math.floor(p * samples.length))];
const residentMiB = pid => Number(fs.readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1]) / 1024;
const rows = [];

async function times(n, work) {
  const samples = [];
  for (let i = -1; i < n; i++) {
    const began = performance.now();
    await work(i);
    if (i >= 0) samples.push(performance.now() - began);  // the first run warms up
  }
  return samples;
}

// `budget` is an upper bound for the median, in `unit`.
function row(work, samples, unit, budget, note = '') {
  const list = [].concat(samples), middle = quantile(list, 0.5), over = budget !== undefined && middle > budget;
  const figure = list.length > 1 ? `${middle.toFixed(1)} / ${quantile(list, 0.95).toFixed(1)} ${unit}` : `${middle.toFixed(unit === 'bytes' ? 0 : 1)} ${unit}`;
  rows.push(`| ${work} | ${figure} | ${budget === undefined ? '–' : `≤ ${budget} ${unit}`} | ${over ? '**over**' : budget === undefined ? '' : 'ok'} | ${note} |`);
  return middle;
}

const site = await startSite();
let server;
try {
  const starts = [];
  for (let i = 0; i < repeat; i++) {
    const began = performance.now(), one = new RawServer({ bin });
    await one.request(1, 'server/discover', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} } });
    starts.push(performance.now() - began);
    await one.end();
  }
  row('process start → first answer', starts, 'ms', 15, 'server/discover');

  server = await Server.start({ bin });
  row('server memory, idle', residentMiB(server.pid), 'MiB', 20);
  await server.ok('open_session', { url: site.url('/pages/form.html'), viewport: { width: 1280, height: 720 } });

  const page = await floor(server);
  const floorClick = row('click, floor over raw CDP', await times(repeat, page.click), 'ms');
  row('fill, floor over raw CDP', await times(repeat, page.fill), 'ms');
  page.close();

  const small = await server.snapshot(), full = await server.ref('radio', 'Full'), name = await server.ref('textbox', 'Name');
  const click = row('click, small page', await times(repeat, () => server.ok('click', { ref: full })), 'ms', 40);
  row('click ÷ floor', click / floorClick, '×', 2.3);
  row('fill, small page', await times(repeat, i => server.ok('fill', { ref: name, value: `Ada ${i}` })), 'ms', 14);
  row('snapshot, small page', await times(repeat, () => server.snapshot()), 'ms', 12);
  row('snapshot, small page, size', Buffer.byteLength(small), 'bytes', 3000);

  await server.ok('navigate', { url: site.url('/pages/table.html?rows=1000'), timeoutMs: 60000 });
  row('snapshot, 1,000 rows', await times(repeat, () => server.snapshot()), 'ms', 80);
  await server.ok('navigate', { url: site.url('/pages/table.html?rows=10000'), timeoutMs: 60000 });
  row('snapshot, 10,000 rows', await times(Math.ceil(repeat / 5), () => server.snapshot({ timeoutMs: 60000 })), 'ms', 600);
  const result = await server.raw('snapshot', { timeoutMs: 60000 });
  row('snapshot, 10,000 rows, size', Buffer.byteLength(textOf(result)), 'bytes', 16 << 10);
  row('server memory, after 10,000 rows', residentMiB(server.pid), 'MiB', 60);

  await server.ok('navigate', { url: site.url('/pages/form.html') });
  await server.ok('start_recording', { flowName: 'latency', replay: { tier: 'replay' } });
  const recorded = await server.ref('radio', 'Full');
  row('click, small page, recording (committed)', await times(repeat, () => server.ok('click', { ref: recorded })), 'ms', undefined);
  await server.ok('end_recording');
} finally {
  await server?.close();
  await site.close();
}

console.log(`Machine: ${os.cpus()[0]?.model ?? 'unknown'}, ${os.cpus().length} cores, ${Math.round(os.totalmem() / 2 ** 30)} GiB, load ${os.loadavg()[0].toFixed(1)}, ${os.type()} ${os.release()}, node ${process.version}; ${repeat} runs a row.\n`);
console.log('| work | median / p95 | budget | | note |\n|---|---|---|---|---|');
console.log(rows.join('\n'));

// The same click and fill by hand in the page that browx drives: two equal boxes before the input, one frame after it.
async function floor(server) {
  const witness = await CdpWitness.attach(server);
  const { targetInfos } = await witness.call('Target.getTargets');
  const { sessionId } = await witness.call('Target.attachToTarget', { targetId: targetInfos.find(t => t.type === 'page' && t.url.includes('/pages/')).targetId, flatten: true });
  const evaluate = async expression => (await witness.call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }, sessionId)).result.value;
  const box = `new Promise(done => { const e = document.querySelector('[value=full]'), at = () => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; };
    let last; const look = () => { const now = at(); last && last[0] === now[0] && last[1] === now[1] ? done(now) : (last = now, requestAnimationFrame(look)); }; look(); })`;
  return {
    click: async () => {
      const [x, y] = await evaluate(box);
      for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased']) await witness.call('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 }, sessionId);
      await evaluate('new Promise(done => requestAnimationFrame(() => done()))');
    },
    fill: async i => {
      await evaluate(`document.querySelector('[name=user]').focus(), document.querySelector('[name=user]').select()`);
      await witness.call('Input.insertText', { text: `Ada ${i}` }, sessionId);
      return evaluate(`document.querySelector('[name=user]').value`);
    },
    close: () => witness.close(),
  };
}
