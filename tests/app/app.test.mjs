// The demo app does what it shows, and each of its mutants does exactly what the list says of it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { launch } from '../support/chromium.mjs';
import { startApp } from './server.mjs';
import { mutants } from './server/mutants.mjs';
import { card, credentials } from './server/seed.mjs';

const server = path.join(path.dirname(fileURLToPath(import.meta.url)), 'server.mjs');
let browser, app;
before(async () => { browser = await launch(); app = await startApp(); });
after(async () => { await browser?.close(); await app?.close(); });

/// Runs `work(page)` in a session of its own and fails on any script error of the page.
async function withPage(work, { on = app, signedIn = true } = {}) {
  const context = await browser.newContext({ baseURL: on.url, viewport: { width: 1280, height: 800 } }), page = await context.newPage(), errors = [];
  page.setDefaultTimeout(30_000);
  page.on('pageerror', error => errors.push(error.message));
  try {
    await page.goto('/');
    if (signedIn) await signIn(page);
    const answer = await work(page);
    assert.deepEqual(errors, [], 'script errors of the page');
    return answer;
  } finally {
    await context.close();
  }
}

async function giveCode(page) {
  await page.getByLabel('Email').fill(credentials.email);
  await page.getByLabel('Password').fill(credentials.password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('One-time code').fill(credentials.code);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function signIn(page) {
  await giveCode(page);
  await page.getByText('Page 1 of').waitFor();
}

const row = (page, id) => page.getByRole('row', { name: id });
const approve = (page, id) => row(page, id).getByRole('button', { name: 'Approve' }).click();
const list = async page => (await page.getByRole('rowheader').allTextContents());
/// Does `what`, which asks for the list with `key`=`value`, and waits until that list is drawn.
async function answered(page, key, value, what) {
  const mine = response => { const url = new URL(response.url()); return url.pathname === '/api/invoices' && url.searchParams.get(key) === value; };
  const [response] = await Promise.all([page.waitForResponse(mine), what()]), count = (await response.json()).length;
  await page.getByText(new RegExp(`^${count} invoices?$`)).waitFor();
}
const search = (page, text) => answered(page, 'q', text, () => page.getByLabel('Search invoices').fill(text));
const chooseStatus = (page, name) => answered(page, 'status', name, () => page.getByLabel('Status').selectOption(name));
async function ask(page, text) {
  const messages = page.getByRole('log').locator('.message.other p'), before = await messages.count();
  await page.getByLabel('Message').fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
  await messages.nth(before).waitFor();
  return messages.nth(before).textContent();
}
async function openPayment(page) {
  await row(page, 'INV-1003').getByRole('button', { name: 'Pay' }).click();
  const frame = page.getByTitle('Card payment').contentFrame();
  await frame.getByLabel('Name on card').fill(card.holder);
  await frame.getByLabel('Card number').fill(card.number);
  await frame.getByLabel('Expires').fill(card.expiry);
  await frame.getByLabel('Security code').fill(card.code);
  return frame;
}
async function pay(page) {
  const frame = await openPayment(page), result = frame.getByRole('status');
  await frame.getByRole('button', { name: /^Pay/ }).click();
  await result.filter({ hasText: /\S/ }).waitFor();
  return result.textContent();
}

test('a wrong password and a wrong code are refused with a reason, the right ones let in', () => withPage(async page => {
  await page.getByLabel('Email').fill(credentials.email);
  await page.getByLabel('Password').fill('guess');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').filter({ hasText: 'do not belong together' }).waitFor();
  await page.getByLabel('Password').fill(credentials.password);
  await page.getByRole('button', { name: 'Continue' }).click();
  assert.equal(await page.getByLabel('One-time code').getAttribute('autocomplete'), 'one-time-code');
  await page.getByLabel('One-time code').fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: 'That code is not right' }).waitFor();
  await page.getByLabel('One-time code').fill(credentials.code);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Invoices' }).waitFor();
  assert.equal(await page.getByTestId('signed-in-user').textContent(), credentials.name);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Password').waitFor();
}, { signedIn: false }));

test('the list is filtered by words and by status and has pages', () => withPage(async page => {
  assert.equal((await list(page)).length, 10);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  assert.deepEqual(await list(page), ['INV-1021', 'INV-1022', 'INV-1023']);
  assert.ok(await page.getByRole('button', { name: 'Next' }).isDisabled());
  await search(page, 'northwind');
  assert.deepEqual(await list(page), ['INV-1005', 'INV-1007', 'INV-1012', 'INV-1014', 'INV-1017']);
  await chooseStatus(page, 'Open');
  assert.deepEqual(await list(page), ['INV-1007', 'INV-1012', 'INV-1014']);
  await page.getByTestId('total-shown').filter({ hasText: '€5,800.75' }).waitFor();
  await search(page, 'nobody');
  await page.getByText('No invoice is like that.').waitFor();
}));

test('invoices are made, changed and deleted, and the server keeps it', () => withPage(async page => {
  await page.getByRole('button', { name: 'New invoice' }).click();
  const dialog = page.getByRole('dialog', { name: 'New invoice' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Please give customer' }).waitFor();
  await dialog.getByLabel('Customer').selectOption('Northwind Traders (Lisbon)');
  await dialog.getByLabel('Amount in euro').fill('12.50');
  await dialog.getByLabel('Due').fill('2026-05-01');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').filter({ hasText: 'INV-1024 created' }).waitFor();

  await search(page, 'INV-1024');
  await page.getByRole('button', { name: 'INV-1024' }).click();
  await page.getByRole('dialog').getByLabel('Note').fill('Samples');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').filter({ hasText: 'INV-1024 saved' }).waitFor();
  await page.reload();
  await page.getByText('24 invoices').waitFor();
  await search(page, 'samples');
  assert.deepEqual(await list(page), ['INV-1024']);

  let asked;
  page.once('dialog', dialog => { asked = dialog.message(); dialog.accept(); });
  await page.getByRole('button', { name: 'INV-1024' }).click();
  await page.getByRole('button', { name: 'Delete invoice' }).click();
  await page.getByRole('status').filter({ hasText: 'INV-1024 deleted' }).waitFor();
  assert.equal(asked, 'Delete INV-1024 for good?');
  assert.deepEqual(await list(page), []);
}));

test('a worker writes the CSV of what is listed', () => withPage(async page => {
  await search(page, 'lisbon');
  await page.getByTestId('total-shown').filter({ hasText: '€3,490.75' }).waitFor();
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download invoices.csv' }).click()]);
  let text = '';
  for await (const chunk of await download.createReadStream()) text += chunk;
  assert.equal(text, 'invoice,customer,city,due,amount,status\r\nINV-1012,Northwind Traders,Lisbon,2026-03-27,2310.00,Open\r\nINV-1014,Northwind Traders,Lisbon,2026-03-30,1180.75,Open\r\n');
}));

test('the payment frame is another site with its own stylesheet, font and picture, and the invoice is paid when its card is accepted', () => withPage(async page => {
  const frame = await openPayment(page), loaded = await frame.getByLabel('Card number').evaluate(async () => {
    await document.fonts.ready;
    return { site: location.hostname, font: document.fonts.check('14px "Terminal Mono"') && [...document.fonts].map(f => f.status), image: document.querySelector('img').naturalWidth, sheet: document.styleSheets[0].cssRules.length > 5 };
  });
  assert.deepEqual(loaded, { site: 'localhost', font: ['loaded'], image: 80, sheet: true });
  await frame.getByRole('button', { name: 'Pay €480.00' }).click();
  await frame.getByRole('status').filter({ hasText: 'accepted. Receipt R1003' }).waitFor();
  await page.getByTestId('payment-state').filter({ hasText: 'Paid' }).waitFor();
}));

test('a card that the provider does not know is declined and the invoice stays unpaid', () => withPage(async page => {
  const frame = await openPayment(page);
  await frame.getByLabel('Card number').fill('4000 0000 0000 0002');
  await frame.getByRole('button', { name: 'Pay €480.00' }).click();
  await frame.getByRole('status').filter({ hasText: 'declined' }).waitFor();
  assert.equal(await page.getByTestId('payment-state').textContent(), 'Approved');
}));

test('two sessions do not see each other, and /reset brings the first state back', () => withPage(async page => {
  await approve(page, 'INV-1007');
  await page.getByTestId('status-INV-1007').filter({ hasText: 'Approved' }).waitFor();
  await withPage(async other => assert.equal(await other.getByTestId('status-INV-1007').textContent(), 'Open'));
  await page.goto('/reset');
  await signIn(page);
  assert.equal(await page.getByTestId('status-INV-1007').textContent(), 'Open');
}));

test('the interface refuses what makes no sense', () => withPage(async page => {
  const send = (method, where, body) => page.evaluate(([m, w, b]) => fetch(w, { method: m, body: b }).then(async r => `${r.status} ${(await r.json().catch(() => ({}))).error}`), [method, where, body]);
  assert.match(await send('POST', '/api/invoices', '{"customer":"C-1","amount":1,"due":"2026-01-01"}'), /^400 There is no customer/);
  assert.match(await send('PUT', '/api/invoices/INV-1001', '{"amount":1.5}'), /^400 The amount/);
  assert.match(await send('PUT', '/api/invoices/INV-9', '{}'), /^404 There is no invoice INV-9/);
  assert.match(await send('POST', '/api/payments', '{"invoice":"INV-1001"}'), /^409 INV-1001 is paid/);
  assert.match(await send('PATCH', '/api/invoices/INV-1001', '{}'), /^405/);
  assert.match(await send('POST', '/api/invoices', '{'), /^400 The body must be JSON/);
}));

test('the command line prints where it listens, ends on SIGTERM and refuses an unknown mutant', async () => {
  const child = spawn(process.execPath, [server], { env: { ...process.env, BROWX_DEMO_MUTANT: 'dead-button' }, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data'), told = JSON.parse(line);
  assert.equal(told.mutant, 'dead-button');
  assert.equal((await fetch(`${told.url}/api/session`)).status, 200);
  assert.equal((await fetch(`${told.payUrl}/frame`)).status, 200);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);

  const wrong = spawn(process.execPath, [server], { env: { ...process.env, BROWX_DEMO_MUTANT: 'nothing' }, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  wrong.stderr.on('data', chunk => { said += chunk; });
  assert.deepEqual(await once(wrong, 'close'), [2, null]);
  assert.match(said, /no mutant 'nothing'; there are: login-loop/);
  await assert.rejects(startApp({ mutant: 'nothing' }), /no mutant/);
});

/// What a user sees where the mutant bites: {look(page), right, wrong, signedIn?}. `look` runs on the app as it is and on the mutant.
const status = (page, id) => page.getByTestId(`status-${id}`).textContent();
const deleting = answer => async page => {
  const asked = [];
  page.on('dialog', dialog => { asked.push(dialog.message()); dialog[answer](); });
  await page.getByRole('button', { name: 'INV-1010' }).click();
  await page.getByRole('button', { name: 'Delete invoice' }).click();
  await page.getByRole('status').filter({ hasText: /^INV-1010 (deleted|kept)$/ }).waitFor();
  return { asked: asked.length, there: (await list(page)).includes('INV-1010') };
};
const seen = {
  'login-loop': { signedIn: false, right: 'Invoices', wrong: 'Sign in', look: async page => {
    await giveCode(page);
    await page.getByLabel('One-time code').waitFor({ state: 'detached' });
    return page.getByRole('heading').first().textContent();
  } },
  'wrong-user': { right: 'Ada Lovelace', wrong: 'Grace Hopper', look: page => page.getByTestId('signed-in-user').textContent() },
  'missing-row': { right: 5, wrong: 4, look: async page => { await search(page, 'northwind'); return (await list(page)).length; } },
  'filter-ignored': { right: '4 invoices', wrong: '23 invoices', look: async page => {
    await chooseStatus(page, 'Paid');
    return page.getByText(/^\d+ invoices$/).textContent();
  } },
  'dead-button': { right: 1, wrong: 0, look: async page => {
    const puts = [];
    page.on('request', request => { if (request.method() === 'PUT') puts.push(request.url()); });
    await approve(page, 'INV-1007');
    await search(page, 'northwind');  // whatever the click sent has been sent before this
    return puts.length;
  } },
  'stale-status': { right: 'Approved', wrong: 'Open', look: async page => {
    await approve(page, 'INV-1007');
    await page.getByRole('status').filter({ hasText: 'INV-1007 approved' }).waitFor();
    return status(page, 'INV-1007');
  } },
  'wrong-row': { right: 'Open Approved', wrong: 'Approved Open', look: async page => {
    await search(page, 'northwind');
    await approve(page, 'INV-1012');
    await page.getByRole('status').filter({ hasText: 'INV-1012 approved' }).waitFor();
    return `${await status(page, 'INV-1007')} ${await status(page, 'INV-1012')}`;
  } },
  'wrong-total': { right: '€3,490.75', wrong: '€2,310.00', look: async page => {
    await search(page, 'lisbon');
    const shown = page.getByTestId('total-shown');
    await shown.filter({ hasText: /€3,490\.75|€2,310\.00/ }).waitFor();
    return shown.textContent();
  } },
  'no-confirm': { right: { asked: 1, there: true }, wrong: { asked: 0, there: false }, look: deleting('dismiss') },
  'delete-kept': { right: { asked: 1, there: false }, wrong: { asked: 1, there: true }, look: deleting('accept') },
  'wrong-chat-echo': { right: 'INV-1012 for Northwind Traders, Lisbon, is open: €2,310.00.', wrong: 'INV-1003 for Harbour Coffee, Galway, is approved: €480.00.', look: async page => {
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByText('Hello!').waitFor();
    await ask(page, 'How is INV-1003?');
    return ask(page, 'And INV-1012?');
  } },
  'wrong-amount': { right: 'Pay €480.00', wrong: 'Pay €48,000.00', look: async page => (await openPayment(page)).getByRole('button').textContent() },
  'payment-declined': { right: 'Payment of €480.00 accepted. Receipt R1003.', wrong: 'The card was declined.', look: pay },
};

test('every mutant of the list is looked at below', () => assert.deepEqual(Object.keys(seen).sort(), Object.keys(mutants).sort()));
for (const [name, { look, right, wrong, signedIn = true }] of Object.entries(seen)) {
  test(`mutant ${name}: ${mutants[name]?.says}`, async () => {
    assert.deepEqual(await withPage(look, { signedIn }), right, 'the app as it should be');
    const sick = await startApp({ mutant: name });
    try {
      assert.deepEqual(await withPage(look, { on: sick, signedIn }), wrong, 'the mutant');
    } finally {
      await sick.close();
    }
  });
}
