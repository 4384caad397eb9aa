// Passwords, one-time codes, cards and registered secrets are in no answer, log line, archive byte or stored picture, whatever the
// page does with them.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';

import { chromium } from 'playwright-core';

import { everyValue, query } from '../support/archive.mjs';
import { info, Server } from '../support/browx.mjs';
import { startSite } from '../support/serve.mjs';
import { sweep, sweepPieces } from '../support/sweep.mjs';

const fields = { password: 'Zq7#vK9!mXw2pL"é', code: '493817', card: '4929 4212 3456 7894' };
const token = 'tök&n/Value+"quoted" 8f3a';
const site = await startSite();
after(() => site.close());

const answers = [];
let server, archive, frames;

before(async () => {
  server = await Server.start();
  const call = async (name, args) => {
    const result = await server.raw(name, args);
    answers.push({ where: `answer of ${name} ${JSON.stringify(args).slice(0, 60)}`, bytes: Buffer.from(JSON.stringify(result)) });
    return result;
  };
  await call('open_session', { url: site.url('/pages/secret.html') });
  await call('register_secret', { name: 'TOKEN', value: token });
  await call('start_recording', { flowName: `with ${token}`, replay: { tier: 'reexecutable' } });
  await call('fill', { selector: 'input[name=name]', value: 'Ada' });
  await call('click', { selector: 'input[name=password]' });
  for (const key of fields.password) await call('press', { key });
  await call('press', { key: 'Tab' });
  await call('fill', { selector: 'input[name=code]', value: fields.code });
  await call('fill', { selector: 'input[name=card]', value: fields.card });
  await call('fill', { selector: 'input[name=cvc]', value: '737' });
  await call('fill', { selector: 'input[name=token]', value: '<TOKEN>' });
  await call('screenshot', {});
  await call('screenshot', { selector: 'input[name=card]' });
  await call('click', { selector: 'role=button[name="Send"]' });
  await call('wait_for', { text: 'sent' });
  await call('snapshot', {});
  await call('console_read', {});
  await call('network_read', {});
  await call('list_sessions', {});
  for (const expr of ['document.forms[0].password.value', 'Object.fromEntries(new FormData(document.forms[0]))', 'document.documentElement.outerHTML', 'localStorage.token', 'location.href'])
    await call('eval_js', { expr });
  await call('verify_value', { selector: 'input[name=password]', value: 'guess' });
  await call('verify_text', { selector: '#echo', text: 'guess' });
  await call('verify_attribute', { selector: '#echo', attr: 'data-typed', value: 'guess' });
  await call('fill', { selector: 'input[name=nosuch]', value: '<TOKEN>', timeoutMs: 300 });
  await call('record_annotate', { copy: `seen ${token}`, label: 'AC-1', phase: 'start' });
  await call('screenshot', {});
  const ended = await call('end_recording', {});
  archive = ended.structuredContent?.replay?.absolutePath;
  assert.ok(archive, `end_recording answered ${JSON.stringify(ended).slice(0, 800)}`);
  frames = answers.filter(a => a.where.includes('screenshot')).length;
});
after(() => server?.close());

// The page really got the values: without this the sweep below would prove nothing.
test('the server of the page received every value', () => {
  const sent = site.log().find(e => e.url.startsWith('/api/echo') && e.method === 'POST');
  assert.deepEqual(JSON.parse(sent.body), { name: 'Ada', ...fields, cvc: '737', token });
});

test('no answer holds a secret', () => {
  assert.deepEqual(sweep(answers, { ...fields, token }), []);
});

test('no answer holds four characters in a row of a password', () => {
  assert.deepEqual(sweepPieces(answers, { password: fields.password }, 4), []);
});

test('no key typed into a password is in an answer or a step; Tab is', () => {
  const pressed = answers.filter(a => a.where.startsWith('answer of press')).map(a => JSON.parse(a.bytes).structuredContent.action.value);
  assert.deepEqual(new Set(pressed), new Set(['[masked value]', 'Tab']));
  const steps = everyValue(archive).filter(v => v.table === 'event' && v.column === 'payload').map(v => JSON.parse(v.bytes)).filter(step => step.tool === 'press');
  assert.equal(steps.length, fields.password.length + 1);
  assert.deepEqual(new Set(steps.map(step => step.arguments.key)), new Set(['[masked value]', 'Tab']));
});

test('no log line holds a secret', () => {
  assert.deepEqual(sweep([{ where: 'stderr', bytes: Buffer.from(server.stderr) }], { ...fields, token }), []);
});

test('no byte of the archive holds a secret, compressed or not', async () => {
  const values = everyValue(archive).map(v => ({ where: `${v.table}.${v.column}`, bytes: v.bytes }));
  assert.ok(values.some(v => v.where.startsWith('dom_chunk')), 'there are DOM events to look at');
  const places = [{ where: 'the file', bytes: fs.readFileSync(archive) }, ...values, { where: 'info', bytes: Buffer.from(JSON.stringify(await info(archive))) }];
  assert.deepEqual(sweep(places, { ...fields, token }), []);
  assert.deepEqual(sweepPieces(values, { password: fields.password }, 4), []);
});

test('no stored picture shows a masked field, and the pictures show the rest', async t => {
  const pictures = query(archive, "SELECT hex(b.data) AS hex, f.mime, b.codec FROM frame f JOIN blob b ON b.sha256 = f.blob");
  assert.ok(pictures.length > 0, 'there are pictures');
  const browser = await chromium.launch({ executablePath: process.env.BROWX_CHROMIUM ?? '/usr/bin/chromium', args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
  t.after(() => browser.close());
  const page = await browser.newPage();
  const counts = [];
  for (const { hex, mime } of pictures) counts.push(await page.evaluate(countColours, `data:${mime};base64,${Buffer.from(hex, 'hex').toString('base64')}`));
  assert.ok(counts.some(c => c.green > 20), 'the field that is no secret is in a picture');
  assert.deepEqual(counts.filter(c => c.magenta > 0), []);
});

// Runs in a browser of its own: pixels near the page's two colours.
async function countColours(url) {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let magenta = 0, green = 0;
  for (let i = 0; i < data.length; i += 4) {
    const [r, g, b] = data.subarray(i, i + 3);
    if (r > 170 && g < 110 && b > 170) magenta++;
    if (r < 100 && g > 150 && b < 100) green++;
  }
  return { magenta, green };
}
