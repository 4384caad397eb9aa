// Controls without text: the page gets the browser's own input and change, and only these.

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {launch, serve, Subject} from './harness.mjs';

let browser, server;
before(async () => { browser = await launch(); server = await serve(); });
after(async () => { await browser.close(); await server.close(); });

const codes = {ArrowUp: 38, ArrowDown: 40, ArrowLeft: 37, ArrowRight: 39, Home: 36, End: 35, Backspace: 8};

async function strike(subject, keys, end, argument) {
  for (let rounds = 1;; rounds++) {
    for (const key of keys)
      for (const type of ['rawKeyDown', 'keyUp'])
        await subject.cdp.send('Input.dispatchKeyEvent', {type, key, code: key, windowsVirtualKeyCode: codes[key]});
    const told = await subject.call(end, argument);
    if (!told.again) return {...told, rounds};
    keys = told.again;
  }
}

/** What the page hears, from its first script on, in the listeners that come first. */
const witness = `<script>
  window.heard = [];
  const value = e => e.multiple ? [...e.selectedOptions].map(o => o.value).join('+') : e.value;
  for (const type of ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'change'])
    addEventListener(type, e => heard.push(\`\${type}\${e.isTrusted ? '' : '?'} \${value(e.target)}\${e.target.validity.badInput ? ' bad' : ''}\`), true);
</script>`;
const heard = subject => subject.evaluate('heard.splice(0)');

async function fills(subject, css, value) {
  const id = await subject.id(css);
  const begun = await subject.call('fillBegin', {id, value, waitMs: 2000});
  assert.equal(begun.refused, undefined, css);
  return strike(subject, begun.keys ?? [], 'fillEnd', {id, value});
}

test('dates and times arrive as one trusted input and one trusted change', async () => {
  const cases = [
    ['date', '2026-02-09'], ['date', '2026-01-31'], ['date', '2024-02-29'], ['date', '2026-12-31'], ['date', '2026-03-31'], ['date', '0001-01-01'],
    ['time', '07:05'], ['time', '00:00'], ['time', '12:30'], ['time', '23:59'], ['time', '11:59'], ['datetime-local', '2026-02-09T07:05'],
    ['datetime-local', '2026-03-31T23:59'], ['month', '2026-01'], ['month', '2026-12'], ['week', '2026-W07'], ['week', '2026-W53'], ['week', '2026-W01'],
  ];
  for (const locale of ['en-US', 'de-DE', 'ja-JP']) {
    for (const old of [false, true]) {
      const subject = await Subject.html(browser, witness + cases.map(([type, value], i) =>
        `<input id=f${i} type=${type}${old ? ` value="${value.replace(/^\d\d/, type === 'time' ? '05' : '19')}"` : ''}>`).join(''));
      await subject.cdp.send('Emulation.setLocaleOverride', {locale});
      for (const [i, [type, value]] of cases.entries()) {
        const told = await fills(subject, `#f${i}`, value);
        const label = `${locale} ${type} ${value} old=${old} rounds=${told.rounds}`;
        assert.deepEqual([told.value, told.warnings], [value, []], label);
        assert.deepEqual(await heard(subject), [`input ${value}`, `change ${value}`], label);
      }
      await subject.close();
    }
  }
});

test('a date is emptied, is filled where a part is fixed, and once more in a field that has the focus', async () => {
  const subject = await Subject.html(browser, witness + `<input id=a type=date value=2026-02-09><input id=b type=date min=2026-05-01 max=2026-05-31>
    <input id=c type=time step=900><input id=d type=time step=3600><input id=e type=time step=1>`);
  assert.deepEqual((await fills(subject, '#a', '')).warnings, []);
  assert.deepEqual(await heard(subject), ['input ', 'change ']);
  for (const [css, value] of [['#b', '2026-05-31'], ['#b', '2026-05-01'], ['#b', '2026-05-17'], ['#c', '07:15'], ['#d', '07:00'], ['#e', '07:05:09'], ['#e', '07:05:10']]) {
    const told = await fills(subject, css, value);
    assert.deepEqual([told.value, told.warnings], [value, []], `${css} ${value}`);
    assert.deepEqual(await heard(subject), [`input ${value}`, `change ${value}`], `${css} ${value}`);
  }
  await subject.close();
});

test('ranges keep what their step makes of the value', async () => {
  const subject = await Subject.html(browser, witness + `<input id=a type=range min=0 max=50 step=5 value=10><input id=b type=range min=-1 max=1 step=any>
    <input id=c type=range dir=rtl><input id=d type=range min=0.1 max=0.9 step=0.1>`);
  for (const [css, value, kept] of [['#a', '33', '35'], ['#a', '50', '50'], ['#a', '0', '0'], ['#b', '0.123', '0.123'], ['#b', '1', '1'], ['#c', '7', '7'], ['#d', '0.3', '0.3']]) {
    const told = await fills(subject, css, value);
    assert.equal(told.value, kept, css);
    assert.equal(told.warnings.length, value === kept ? 0 : 1, css);
    assert.deepEqual(await heard(subject), [`input ${kept}`, `change ${kept}`], `${css} ${value}`);
  }
  await subject.close();
});

test('lists are chosen from by trusted events', async () => {
  const subject = await Subject.html(browser, witness + `<select id=a><option disabled selected value="">Choose<option>A<option hidden>B<option disabled>C<option>D</select>
    <select id=b><option disabled selected value="">Choose<option>A</select><select id=c size=4><option>A<option>B<option>C</select>
    <select id=d multiple><option>A<option selected>B<option>C</select>`);
  for (const [css, values] of [['#a', ['A']], ['#a', ['D']], ['#a', ['A']], ['#b', ['A']], ['#c', ['B']], ['#c', ['A']], ['#c', ['C']], ['#d', ['A', 'C']], ['#d', ['A']],
    ['#d', ['C']], ['#d', []], ['#d', ['A', 'B', 'C']]]) {
    const id = await subject.id(css);
    const begun = await subject.call('selectBegin', {id, values, waitMs: 2000});
    const told = await strike(subject, begun.keys, 'selectEnd', {id, changed: begun.changed});
    assert.deepEqual([told.selected, told.warnings], [values, []], `${css} ${values}`);
    assert.deepEqual(await heard(subject), [`input ${values.join('+')}`, `change ${values.join('+')}`], `${css} ${values}`);
  }
  await subject.close();
});

test('what no key reaches is set by script, and that is said', async () => {
  const subject = await Subject.html(browser, witness + `<input id=a type=color><input id=b type=range min=5 max=5 value=5>
    <input id=c type=date min=2026-05-05 max=2026-05-05><select id=d style="appearance:base-select"><option>A<option>B</select>`);
  for (const [css, value] of [['#a', '#aabbcc'], ['#b', '5'], ['#c', '2026-05-05']]) {
    const told = await fills(subject, css, value);
    assert.equal(told.value, value, css);
    const trusted = (await heard(subject)).includes(`input ${value}`);
    assert.equal(told.warnings.some(w => /untrusted/.test(w)), !trusted, css);
  }
  const id = await subject.id('#d');
  const begun = await subject.call('selectBegin', {id, values: ['B'], waitMs: 2000});
  const told = await strike(subject, begun.keys, 'selectEnd', {id, changed: begun.changed});
  assert.deepEqual(told.selected, ['B']);
  assert.match(told.warnings[0], /untrusted/);
  await subject.close();
});
