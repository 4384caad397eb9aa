import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, root, serve, Subject} from './harness.mjs';

let browser, server;
before(async () => { browser = await launch(); server = await serve(); });
after(async () => { await browser.close(); await server.close(); });

/** What capture does with the bundle's answers. */
async function fill(subject, id, value) {
  const ready = await subject.call('prepare', {id, for: 'fill', waitMs: 200, scroll: true});
  if (ready.refused) return ready;
  const begun = await subject.call('fillBegin', {id, value});
  if (begun.refused) return begun;
  if (begun.how === 'insert') await subject.insertText(value.replace(/\r\n?/g, '\n'));
  if (begun.how === 'clear') await press(subject, 'Backspace', 8);
  return {...begun, ...await strike(subject, begun.keys ?? [], 'fillEnd', {id, value})};
}

const codes = {ArrowUp: 38, ArrowDown: 40, ArrowLeft: 37, ArrowRight: 39, Home: 36, End: 35, Backspace: 8};

/** The keys that are asked for, until no more are. */
async function strike(subject, keys, end, argument) {
  for (;;) {
    for (const key of keys) await press(subject, key, codes[key]);
    const told = await subject.call(end, argument);
    if (!told.again) return told;
    keys = told.again;
  }
}

async function select(subject, id, values) {
  const begun = await subject.call('selectBegin', {id, values});
  if (begun.refused) return begun;
  return {changed: begun.changed, ...await strike(subject, begun.keys, 'selectEnd', {id, changed: begun.changed})};
}

async function press(subject, key, code) {
  for (const type of ['rawKeyDown', 'keyUp'])
    await subject.cdp.send('Input.dispatchKeyEvent', {type, key, code: key, windowsVirtualKeyCode: code});
}

test('a fill answers with what the control kept', async () => {
  const expected = JSON.parse(readFileSync(join(root, 'tests/cases/b08-formatter-fields/expected.json'), 'utf8'));
  for (const [css, {fill: wanted, value, state, later, afterBlur, refused}] of Object.entries(expected)) {
    const subject = await Subject.open(browser, `${server.origin}/b08-formatter-fields/index.html`);
    await subject.evaluate(`window.keys = 0; addEventListener('keydown', () => keys++, true)`);
    const id = await subject.id(`#${css}`);
    const answer = await fill(subject, id, wanted);
    if (refused) {
      assert.equal(answer.refused, 'readonly');
      assert.equal(await subject.evaluate('document.activeElement.id'), '', 'refused before any focus');
    } else {
      assert.equal(answer.value, value, css);
      assert.equal(answer.same, value === wanted.replace('\r\n', '\n'), css);
      assert.equal(answer.warnings.length, (answer.same ? 0 : 1) + (css === 'paint' ? 1 : 0), css);
    }
    assert.equal(await subject.evaluate(`document.getElementById('${css}').value`), value, css);
    assert.equal(await subject.evaluate('keys'), 0, css);
    if (state) assert.equal(await subject.evaluate('ctlState()'), state);
    if (css !== 'paint') assert.doesNotMatch(await subject.page.locator('#log').textContent(), /\?/, css);
    if (css === 'stub') assert.deepEqual(answer.warnings, ['the page emptied the field']);
    if (css === 'latin') assert.match(answer.warnings[0], /characters were dropped.*日/);
    if (later) {
      const {found} = await subject.call('waitFor', {selector: '#trim:not(.x)', waitMs: 10});
      assert.ok(found);
      await subject.page.waitForFunction(wait => document.querySelector('#trim').value === wait, later);
      assert.equal((await subject.call('describe', {id})).value, later);
    }
    if (afterBlur) {
      assert.equal((await subject.call('describe', {id})).focused, true);
      await press(subject, 'Tab', 9);
      assert.equal((await subject.call('describe', {id})).value, afterBlur);
    }
    await subject.close();
  }
});

test('a value in a wrong format is refused and the old one stays', async () => {
  const subject = await Subject.html(browser, `<input id=date type=date value=2026-01-02><input id=color type=color value="#010203">
    <input id=time type=time value=01:02><input id=week type=week value=2026-W01><input id=month type=month value=2026-01>
    <input id=local type=datetime-local value=2026-01-02T03:04><input id=number type=number value=5><input id=range type=range value=7>`);
  for (const [css, bad] of Object.entries({date: '31.12.2026', color: 'red', time: '7 pm', week: '1', month: 'May', local: '2026-01-02',
    number: 'many', range: 'half'})) {
    const id = await subject.id(`#${css}`);
    const before = await subject.evaluate(`${css}.value`);
    const answer = await fill(subject, id, bad);
    assert.equal(answer.refused, 'bad-format', css);
    assert.ok(answer.wanted, css);
    assert.equal(await subject.evaluate(`${css}.value`), before);
    assert.equal(await subject.evaluate('document.activeElement.tagName'), 'BODY');
  }
  await subject.close();
});

test('filling replaces and clears text fields', async () => {
  const subject = await Subject.html(browser, '<input id=a value=old><textarea id=b>old\nlines</textarea><input id=c type=email value="a@b.c"><input id=d type=number value=12>');
  for (const css of ['#a', '#b', '#c', '#d']) {
    const id = await subject.id(css);
    assert.equal((await fill(subject, id, '42')).value, '42');
    assert.deepEqual((({value, same}) => ({value, same}))(await fill(subject, id, '')), {value: '', same: true});
    assert.equal((await fill(subject, id, '')).how, 'set', 'nothing to clear');
  }
  await subject.close();
});

test('editors that own their text are written by trusted input', async () => {
  const subject = await Subject.open(browser, `${server.origin}/b09-rich-editor/index.html`);
  const model = () => subject.page.locator('#model').textContent();
  for (const css of ['#ed', '#plain', '#nest']) {
    const id = await subject.id(css);
    const text = 'Hi 👩‍👩‍👧 naïve 日本語';
    const first = await fill(subject, id, text);
    assert.equal(first.how, 'insert');
    assert.deepEqual([first.same, first.warnings], [true, []], `${css} ${first.value}`);
    if (css === '#ed') assert.equal(await model(), JSON.stringify(text));
    const second = await fill(subject, id, 'one\ntwo');
    assert.equal(second.same, true, `${css} ${JSON.stringify(second.value)}`);
    if (css === '#ed') assert.equal(await model(), JSON.stringify('one\ntwo'));
    const third = await fill(subject, id, '');
    assert.equal(third.value, '', css);
    if (css === '#ed') assert.equal(await model(), '""');
    assert.equal((await subject.call('describe', {id})).focused, true, css);
  }
  assert.doesNotMatch(await subject.page.locator('#log').textContent(), /\?/);
  await subject.close();
});

test('options are chosen by value or label, and a disabled one is refused', async () => {
  const subject = await Subject.html(browser, `<select id=s><option value=1>One<option value=2 disabled>Two<option value=3> Three
      words</select><select id=m multiple><option>A<option>B<option>C</select><optgroup></optgroup><p id=p>x</p>`);
  await subject.evaluate(`window.log = []; for (const t of ['input','change']) addEventListener(t, e => log.push(e.target.id + t), true)`);
  const s = await subject.id('#s'), m = await subject.id('#m');
  assert.deepEqual(await select(subject, s, ['Three words']), {changed: true, selected: ['3'], warnings: []});
  assert.deepEqual(await subject.evaluate('log'), ['sinput', 'schange']);
  assert.equal((await select(subject, s, ['3'])).changed, false);
  assert.equal((await select(subject, s, ['2'])).refused, 'option-disabled');
  const missing = await select(subject, s, ['4']);
  assert.equal(missing.refused, 'option-not-found');
  assert.match(missing.detail, /"One"/);
  assert.equal(await subject.evaluate('s.value'), '3');
  assert.deepEqual((await select(subject, m, ['A', 'C'])).selected, ['A', 'C']);
  assert.deepEqual((await select(subject, m, [])).selected, []);
  assert.equal((await select(subject, await subject.id('#p'), ['A'])).refused, 'not-a-select');
  assert.deepEqual(await subject.evaluate('log.length'), 6);
  await subject.close();
});

test('values of sensitive fields are masked everywhere', async () => {
  const subject = await Subject.html(browser, `<title>t</title>
    <label>Password <input id=pw type=password value="hunter2secret"></label>
    <input id=cc autocomplete="cc-number" value="4111111111111111"><label>One-time code <input id=otp value=123456></label>
    <input id=cvc name=cardCvc value=987><input id=pin aria-label="Enter PIN" value=4711><input id=name aria-label="Name" value=Ada>
    <input id=code aria-label="Discount code" value=SAVE10><input id=pinned aria-label="Pinned messages" value=3>
    <button onclick="pw.type='text'">Show</button>`);
  const {rows} = await subject.call('walk');
  const text = JSON.stringify(rows);
  for (const secret of ['hunter2secret', '4111111111111111', '123456', '987', '4711']) assert.ok(!text.includes(secret), secret);
  for (const open of ['Ada', 'SAVE10']) assert.ok(text.includes(open), open);
  for (const css of ['pw', 'cc', 'otp', 'cvc', 'pin']) {
    const id = await subject.id(`#${css}`);
    const described = await subject.call('describe', {id});
    assert.deepEqual([described.sensitive, described.value], [true, '[masked value]'], css);
    assert.equal((await fill(subject, id, '55555555')).value, '[masked value]');
  }
  for (const css of ['name', 'code', 'pinned'])
    assert.equal((await subject.call('describe', {id: await subject.id(`#${css}`)})).sensitive, false, css);
  // Made visible it stays what it was.
  await subject.page.click('button');
  assert.equal((await subject.call('describe', {id: await subject.id('#pw')})).value, '[masked value]');
  await subject.evaluate(`pw.value = 'pässword "quoted"'; cvc.value = '987'`);
  const {value} = await subject.call('maskValues', {value: {a: 'pässword "quoted"', b: ['x pässword "quoted" y', '987', 'room 987'],
    c: {d: encodeURIComponent('pässword "quoted"'), e: JSON.stringify({p: 'pässword "quoted"'}), n: 987, ok: true}}});
  assert.deepEqual(value, {a: '[masked value]', b: ['x [masked value] y', '[masked value]', 'room 987'],
    c: {d: '[masked value]', e: '{"p":"[masked value]"}', n: '[masked value]', ok: true}});
  await subject.close();
});

test('boxes of what must not be in a picture', async () => {
  const subject = await Subject.html(browser, `<body style="margin:0"><input id=pw type=password value=abcdefgh style="position:absolute;left:10px;top:20px;width:100px;height:30px;box-sizing:border-box">
    <input type=password style="position:absolute;top:200px"><p style="position:absolute;top:100px;left:0;margin:0">The key is <b>tok</b>en-42!</p>
    <div id=private style="position:absolute;left:300px;top:300px;width:40px;height:50px"></div>`);
  const {boxes} = await subject.call('sensitiveBoxes', {secrets: ['token-42'], selectors: ['#private', '!!']});
  assert.ok(boxes.some(b => b.x === 10 && b.y === 20 && b.width === 100 && b.height === 30));
  assert.ok(boxes.some(b => b.x === 300 && b.y === 300 && b.width === 40 && b.height === 50));
  const text = boxes.filter(b => b.y >= 95 && b.y < 130);
  assert.ok(text.length >= 2, JSON.stringify(boxes));
  assert.ok(!boxes.some(b => b.y === 200), 'an empty field shows nothing');
  await subject.close();
});

test('no answer holds a lone surrogate', async () => {
  const subject = await Subject.html(browser, '<button></button><input>');
  await subject.evaluate(`document.title = '\\ud83d'; document.querySelector('button').textContent = 'a\\udc4d b'; document.querySelector('input').value = '\\ud83d\\ude00 \\ud83d'`);
  const contextId = await subject.world();
  const {result} = await subject.cdp.send('Runtime.evaluate', {contextId, returnByValue: true,
    expression: `const t = __browx.call('walk', '{}'); [t, t.isWellFormed() && !/\\\\ud[89ab]/i.test(t)]`});
  assert.equal(result.value[1], true, result.value[0]);
  assert.match(result.value[0], /a\ufffd b/);
  await subject.close();
});
