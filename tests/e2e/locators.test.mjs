// generate_locator on the cases: Playwright itself says what each expression finds.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';

import { chromium } from 'playwright-core';

import { Server } from '../support/browx.mjs';
import { startSite } from '../support/serve.mjs';

let site, server, browser, page;

before(async () => {
  site = await startSite();
  server = await Server.start();
  browser = await chromium.launch({ executablePath: process.env.BROWX_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
}, { timeout: 60_000 });
after(async () => {
  await browser?.close();
  await server?.close();
  await site?.close();
});

/// Opens a case in browx and in Playwright's browser; answers the refs of the roles, in document order.
async function open(name, roles) {
  const url = site.url(`/cases/${name}/index.html`);
  await page?.close();
  page = await browser.newPage();
  await page.goto(url);
  await server.ok('navigate', { url });
  const tree = await server.snapshot({ maxNodes: 5000 });
  const lines = tree.split('\n').map(line => line.trim().replace(/^- /, ''));
  return lines.filter(line => roles.some(role => line.startsWith(`${role} `))).map(line => line.match(/\[ref=(e\d+)\]/)[1]);
}

/// The locator of an expression in the paste-safe form.
function evaluated({ playwright }) {
  assert.match(playwright, /^page\.[A-Za-z.]+\(/);
  assert.doesNotMatch(playwright, /[\u2028\u2029\n\u202e\ufeff]/, 'paste-safe');
  return new Function('page', `return ${playwright};`)(page);
}

test('b02: each expression finds the one element that its ref stands for', { timeout: 120_000 }, async () => {
  const refs = await open('b02-twins', ['button', 'link', 'radio']);
  const order = await page.$$eval('button, a, input', all => all.map((e, i) => [i, e.checkVisibility()]).filter(([, visible]) => visible).map(([i]) => i));
  assert.equal(refs.length, order.length);
  let numbered = 0;
  for (const [i, ref] of refs.entries()) {
    const made = await server.ok('generate_locator', { ref }), locator = evaluated(made);
    assert.equal(await locator.count(), 1, made.playwright);
    assert.equal(await locator.evaluate(e => [...document.querySelectorAll('button, a, input')].indexOf(e)), order[i], made.playwright);
    if (made.playwright.includes('.nth(')) {
      numbered++;
      assert.match(made.playwright, /'Dot'/);
      assert.equal(made.stability, 'low');
      assert.match(made.reason, /3 elements/);
    } else {
      assert.notEqual(made.stability, 'low', made.playwright);
    }
    assert.equal(!made.reason, made.stability === 'high', made.playwright);
  }
  assert.equal(numbered, 3);
});

test('b03: what is not low still finds its control after the ids have changed', { timeout: 120_000 }, async () => {
  const refs = await open('b03-generated-ids', ['button', 'textbox', 'spinbutton']);
  assert.equal(refs.length, 10);
  const keys = ['react', 'radix', 'mui', 'ember', 'uuid', 'hash', 'grid', 'digit', 'brackets', 'plain'], low = [];
  for (const [i, ref] of refs.entries()) {
    const made = await server.ok('generate_locator', { ref });
    assert.doesNotMatch(made.playwright, /#2fa|css-|radix-|mui-|ember\d/);
    if (made.stability === 'low') {
      low.push(keys[i]);
      assert.match(made.playwright, /nth-of-type/);
      continue;
    }
    await page.reload();
    await evaluated(made).focus();
    assert.equal(await page.locator('#log').textContent(), keys[i], made.playwright);
  }
  assert.deepEqual(low, ['ember', 'uuid', 'hash']);
});

test('b11: names of any content are quoted so that one element is found', { timeout: 300_000 }, async () => {
  const buttons = await open('b11-code-quoting', ['button']);
  assert.equal(buttons.length, 45);
  for (const [i, ref] of buttons.entries()) {
    const made = await server.ok('generate_locator', { ref });
    assert.equal(await evaluated(made).count(), 1, made.playwright);
    assert.equal(await evaluated(made).evaluate(e => e.closest('tr').rowIndex), i, made.playwright);
  }
});
