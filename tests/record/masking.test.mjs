// No part of a sensitive value leaves the page, in a real Chromium.

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';

import {Recorded, launch, serve} from './browser.mjs';

let browser;
before(async () => (browser = await launch()));
after(async () => browser.close());

const kMasked = '[masked value]';
const stored = (stream) => JSON.stringify([stream.events.map((one) => one.event), stream.gaps, stream.assets]);

/** Every run of `length` characters of `value` that occurs in `text`. */
const runs_in = (text, value, length = 4) => {
  const found = [];
  for (let i = 0; i + length <= value.length; ++i) if (text.includes(value.slice(i, i + length))) found.push(value.slice(i, i + length));
  return found;
};

async function open(html, options = {}) {
  const site = await serve({'/': html});
  const recorded = await Recorded.open(browser, options);
  await recorded.page.goto(site.url);
  return {recorded, page: recorded.page, url: site.url, close: async () => (await recorded.close(), site.close())};
}

const kFields = [
  ['a password', '<input id=f type=password>'],
  ['a prefilled password', '<input id=f type=password value="xK9#vQ2!prefilled">'],
  ['a one-time code', '<input id=f autocomplete="one-time-code">'],
  ['a card number', '<input id=f autocomplete="section-a cc-number">'],
  ['a field named like a CVC', '<input id=f name=cvc>'],
  ['a field labelled like a card number', '<label>Card number <input id=f></label>'],
  ['a password shown as text by a button', '<input id=f type=password><button onclick="f.type=\'text\'">show</button>'],
];

for (const [what, field] of kFields) {
  test(`${what} never yields its value`, async () => {
    const secret = 'Zq7-Wm3.Rt9_Lp';
    const run = await open(`<!doctype html><title>t</title><body>${field}<p id=other>unrelated</p>`);
    try {
      await run.page.locator('#f').focus();
      for (const button of await run.page.locator('button').all()) await button.click();
      await run.page.locator('#f').fill('');
      await run.page.locator('#f').pressSequentially(secret);
      await run.page.evaluate(() => f.setAttribute('value', f.value));
      await run.page.evaluate(() => (other.textContent = 'changed'));
      const stream = await run.recorded.flushed();
      const text = stored(stream);
      assert.deepEqual(runs_in(text, secret), []);
      assert.deepEqual(runs_in(text, 'xK9#vQ2!prefilled'), []);
      assert.ok(text.includes(kMasked), 'that something was entered is in the stream');
      assert.ok(text.includes('changed'));
      assert.ok(stream.fields.some((told) => told.values.includes(secret) || told.recent.includes(secret)), 'the program is told what to mask');
    } finally {
      await run.close();
    }
  });
}

test('while it is typed, parts of a value are masked in everything that changes; later only the whole', async () => {
  const secret = 'correcthorse';
  const run = await open(`<!doctype html><title>t</title><body><input id=f type=password><output id=o></output><p id=late>x</p>
    <script>f.oninput = () => { o.textContent = 'you typed ' + f.value; o.title = f.value; o.dataset.tail = f.value.slice(-5);
      const li = document.createElement('li'); li.textContent = f.value.split('').reverse().join('') + '/' + f.value; document.body.append(li); }</script>`);
  try {
    await run.page.locator('#f').pressSequentially(secret);
    const typing = stored(await run.recorded.flushed());
    assert.deepEqual(runs_in(typing, secret), []);
    assert.match(typing, /you typed \[masked value\]/);
    await run.page.evaluate(() => f.blur());
    await run.page.evaluate(() => new Promise((done) => setTimeout(done)));
    await run.page.evaluate(() => (late.textContent = 'correct answer; ' + f.value + ' is whole'));
    const text = stored(await run.recorded.flushed());
    assert.match(text, /correct answer; \[masked value\] is whole/);
    // A new snapshot of the same nodes must not tell what the typing showed.
    await run.recorded.call('recorderPause');
    await run.recorded.call('recorderResume');
    const again = stored(await run.recorded.flushed());
    assert.ok(!again.includes(secret));
    assert.deepEqual(runs_in(again.replaceAll('correct answer', ''), secret, 5), []);
  } finally {
    await run.close();
  }
});

test('a one-digit code is masked in its field and in what its input changes, and nowhere else', async () => {
  const run = await open(`<!doctype html><title>t</title><body><input id=f autocomplete=one-time-code maxlength=1><b id=echo></b><p id=other></p>
    <script>f.oninput = () => (echo.textContent = 'digit ' + f.value)</script>`);
  try {
    await run.page.locator('#f').pressSequentially('7');
    await run.page.evaluate(() => new Promise((done) => setTimeout(done, 5)));
    await run.page.evaluate(() => (other.textContent = 'room 7'));
    const text = stored(await run.recorded.flushed());
    assert.ok(!text.includes('digit 7'));
    assert.match(text, /digit \[masked value\]/);
    assert.match(text, /room 7/);
  } finally {
    await run.close();
  }
});

test('elements under a configured selector show neither text nor values, across shadow roots', async () => {
  const run = await open(
    `<!doctype html><title>t</title><body><div class=private><p title="Ada Lovelace">Ada Lovelace</p><input id=i value="Ada Lovelace"><x-in></x-in></div><p>public</p>
    <script>document.querySelector('x-in').attachShadow({mode:'open'}).innerHTML = '<i>Ada Lovelace</i>'</script>`,
    {maskSelectors: ['.private', ':::broken']},
  );
  try {
    await run.page.locator('#i').fill('Grace Hopper');
    await run.page.evaluate(() => (document.querySelector('.private p').firstChild.data = 'Grace Hopper'));
    const text = stored(await run.recorded.flushed());
    assert.ok(!text.includes('Lovelace') && !text.includes('Hopper'));
    assert.match(text, /public/);
  } finally {
    await run.close();
  }
});

test('options of a select and ordinary fields are left alone', async () => {
  const run = await open('<!doctype html><title>t</title><body><select id=s><option>Rome<option>Oslo</select><input id=n name=company>');
  try {
    await run.page.locator('#s').selectOption('Oslo');
    await run.page.locator('#n').fill('Spinning Ltd');
    const text = stored(await run.recorded.flushed());
    assert.match(text, /Oslo/);
    assert.match(text, /Spinning Ltd/);
    assert.ok(!text.includes(kMasked));
  } finally {
    await run.close();
  }
});

test('the page\'s address keeps its query keys only', async () => {
  const run = await open('<!doctype html><title>t</title>');
  try {
    await run.page.goto(`${run.url}/?token=abcdef&x=1#frag`);
    const [meta] = (await run.recorded.flushed()).events;
    assert.equal(meta.event.data.href, `${run.url}/?token=…&x=…#…`);
  } finally {
    await run.close();
  }
});
