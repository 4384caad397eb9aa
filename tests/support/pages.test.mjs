// The fixture pages in a browser without browx: what tests expect of a page must be true of the page.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

import { startSite } from './serve.mjs';

const pages = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../pages');
let site, browser;
before(async () => {
  site = await startSite();
  browser = await chromium.launch({ executablePath: process.env.BROWX_CHROMIUM ?? '/usr/bin/chromium', args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
});
after(async () => { await browser?.close(); await site.close(); });

async function visit(t, file) {
  const page = await browser.newPage(), errors = [];
  t.after(() => page.close());
  page.on('pageerror', error => errors.push(error.message));
  await page.goto(site.url(`/pages/${file}`), { waitUntil: 'load' });
  return { page, errors };
}

for (const file of fs.readdirSync(pages).filter(f => f.endsWith('.html'))) {
  test(`${file} loads without an error`, async t => {
    const { page, errors } = await visit(t, file);
    assert.deepEqual(errors, []);
    assert.notEqual(await page.title(), '');
  });
}

test('every frame of frames.html tells its trusted press to the top page', async t => {
  const { page } = await visit(t, 'frames.html');
  const names = ['same', 'cross', 'port', 'nested-near', 'nested-far', 'far-nested-near', 'far-nested-far', 'srcdoc', 'sandboxed'];
  for (const name of names) {
    const frame = await frameWith(page, `Press ${name}`);
    await frame.getByRole('button', { name: `Press ${name}`, exact: true }).click();
  }
  await page.waitForFunction(n => document.getElementById('log').textContent.split(' ').length === n, names.length);
  assert.equal(await page.locator('#log').textContent(), names.map(n => `${n}:true`).join(' '));
});

async function frameWith(page, button) {
  for (;;) {
    for (const frame of page.frames()) if (await frame.getByRole('button', { name: button, exact: true }).count().catch(() => 0)) return frame;
    await page.waitForEvent('framenavigated');
  }
}

test('a run of activity.html with frames makes every marked request, once', async t => {
  const { page } = await visit(t, 'activity.html?frames=1&rounds=5');
  await page.getByRole('button', { name: 'Run' }).first().click();
  for (const [name, frame] of [['main', page.mainFrame()], ...['same', 'cross'].map(n => [n, page.frames().find(f => f.url().includes(`name=${n}`))])]) {
    await frame.getByText(`done ${name}`).waitFor();
    const marks = site.log().map(e => e.url.match(/mark=(\w+-\d+)/)?.[1]).filter(m => m?.startsWith(`${name}-`));
    assert.deepEqual(marks, [1, 2, 3, 4, 5].map(i => `${name}-${i}`));
  }
});

test('the sockets page speaks text and binary, and the event stream ends', async t => {
  const { page } = await visit(t, 'sockets.html');
  for (const [button, line] of [['Open', 'open'], ['Send text', 'text hello 1'], ['Send binary', 'binary 0,1,254,255'], ['Close', 'closed 1000'], ['Listen to events', 'stream ended']]) {
    await page.getByRole('button', { name: button }).click();
    await page.getByText(line, { exact: true }).waitFor();
  }
});

test('workers of all three kinds answer', async t => {
  const { page } = await visit(t, 'workers.html');
  for (const [button, line] of [['Start worker', /^worker pong/], ['Start shared worker', /^shared pong/], ['Register service worker', 'service worker ready'], ['Fetch through it', 'answer made by the service worker']]) {
    await page.getByRole('button', { name: button }).click();
    await page.getByText(line).waitFor();
  }
});

test('the font of another site is a font', async t => {
  const { page } = await visit(t, 'assets.html');
  assert.equal(await page.evaluate(async () => { await document.fonts.load('16px Square', 'A'); return document.fonts.check('16px Square', 'A'); }), true);
});
