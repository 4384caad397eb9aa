import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {launch, serve, Subject, treeOf} from './harness.mjs';

let browser, server;
before(async () => { browser = await launch(); server = await serve(); });
after(async () => { await browser.close(); await server.close(); });

test('an action’s changes are counted and shown', async () => {
  const subject = await Subject.html(browser, '<ul id=l><li>one<li>two</ul><p id=s>idle</p><div id=m hidden><button>Hidden</button></div>');
  await subject.call('walk');
  const button = (await subject.call('query', {selector: '#m button'})).ids[0];
  await subject.call('actionBegin');
  await subject.evaluate(`l.insertAdjacentHTML('beforeend', '<li>three <button>Go</button></li>'); l.firstElementChild.remove();
    s.textContent = 'busy'; m.hidden = false; setTimeout(() => l.insertAdjacentHTML('beforeend', '<li>four</li>'), 20)`);
  const end = await subject.call('actionEnd', {id: button, quietFrames: 2, waitMs: 1000});
  const tree = treeOf(end.rows);
  assert.match(tree, /listitem\n  text "three"\n  button "Go"/);
  assert.match(tree, /text "four"/);
  assert.match(tree, /text "busy"/);
  assert.match(tree, /button "Hidden"/);
  assert.equal(end.removed, 1);
  assert.equal(end.appeared, 4, tree);
  assert.equal(end.element.stillAttached, true);
  assert.equal(end.element.name, 'Hidden');
  await subject.call('actionBegin');
  const nothing = await subject.call('actionEnd', {waitMs: 1000});
  assert.deepEqual([nothing.appeared, nothing.removed, nothing.rows], [0, 0, []]);
  await subject.close();
});

test('a page that never rests ends the wait at its limit', async () => {
  const subject = await Subject.html(browser, '<p id=p></p><script>setInterval(() => p.textContent = Math.random(), 1)</script>');
  await subject.call('actionBegin');
  const started = Date.now();
  await subject.call('actionEnd', {waitMs: 200});
  assert.ok(Date.now() - started < 1500);
  await subject.close();
});

test('waiting ends with the mutation, in shadow trees too, and with the limit', async () => {
  const subject = await Subject.html(browser, '<my-box></my-box><p id=p style="opacity:1;display:none">Ready now</p>');
  const byText = subject.call('waitFor', {text: 'ready NOW', waitMs: 5000});
  await subject.evaluate(`p.style.display = 'block'`);
  assert.equal((await byText).found, true);
  const inShadow = subject.call('waitFor', {selector: 'my-box >> role=button[name="Late"]', waitMs: 5000});
  await subject.evaluate(`const r = document.querySelector('my-box').attachShadow({mode: 'open'}); document.querySelector('my-box').title = 'x';
    setTimeout(() => r.innerHTML = '<button>Late</button>', 30)`);
  const found = await inShadow;
  assert.equal(found.found, true);
  assert.equal((await subject.call('describe', {id: found.id})).name, 'Late');
  const started = Date.now();
  assert.deepEqual(await subject.call('waitFor', {selector: '#never', waitMs: 150}), {found: false});
  assert.ok(Date.now() - started >= 140);
  const hidden = subject.call('waitFor', {selector: '#p', state: 'hidden', waitMs: 5000});
  await subject.evaluate(`p.remove()`);
  assert.deepEqual(await hidden, {found: true});
  assert.equal((await subject.call('waitFor', {selector: 'button[', waitMs: 10}, {raw: true})).error.kind, 'invalid-selector');
  await subject.close();
});

test('a page that replaced the language sees nothing of us and changes nothing', async () => {
  const subject = await Subject.open(browser, `${server.origin}/b13-hostile-globals/index.html`);
  const {rows} = await subject.call('walk');
  assert.match(treeOf(rows), /heading "Shop" \[level=1\]\nbutton "Add row"\ntextbox "Item"/);
  const {ids: [id]} = await subject.call('query', {selector: 'role=button[name="Add row"]'});
  await subject.call('candidates', {id});
  await subject.call('actionBegin');
  const ready = await subject.call('prepare', {id, for: 'click', waitMs: 2000, scroll: true});
  await subject.clickAt(ready.point);
  const end = await subject.call('actionEnd', {id, waitMs: 1000});
  assert.match(treeOf(end.rows), /Row 1/);
  const {ids: [item]} = await subject.call('query', {selector: '#item'});
  await subject.call('fillBegin', {id: item, value: 'x'});
  await subject.insertText('x');
  await subject.call('fillEnd', {id: item, value: 'x'});
  await subject.call('sensitiveBoxes', {secrets: ['x']});
  await subject.call('waitFor', {text: 'Row 1', waitMs: 500});
  const {result} = await subject.cdp.send('Runtime.evaluate', {expression: `document.getElementById('out').textContent + ' ' +
    Object.keys(window.touched) + ' ' + Object.keys(window).filter(k => /browx/i.test(k)) + ' ' +
    document.documentElement.outerHTML.includes('browx')`, returnByValue: true});
  assert.equal(result.value, 'trusted   false');
  await subject.close();
});

test('a snapshot goes on behind an element without telling a row twice', async () => {
  const subject = await Subject.html(browser, `<h1>Many</h1><ul>${Array.from({length: 300}, (_, i) => `<li>item ${i} <button>B${i}</button></li>`).join('')}</ul>`);
  const whole = await subject.call('walk');
  const rows = [];
  let after, calls = 0;
  do {
    const part = await subject.call('walk', {maxBytes: 3000, ...(after && {after})});
    rows.push(...part.rows);
    if (!calls) assert.equal(part.total, whole.rows.length);
    if (part.more) assert.equal(part.more.remaining + rows.length, whole.rows.length);
    after = part.more?.after;
    calls++;
  } while (after);
  assert.ok(calls > 3);
  assert.deepEqual(rows, whole.rows);
  const few = await subject.call('walk', {maxNodes: 5});
  assert.ok(few.rows.length <= 5);
  const {ids: [id]} = await subject.call('query', {selector: 'li >> nth=3'});
  assert.match(treeOf((await subject.call('walk', {root: id})).rows), /^listitem\n  text "item 3"\n  button "B3"$/);
  const omitted = await subject.call('walk', {omit: ['button']});
  assert.ok(!omitted.rows.some(row => row[1] === 'button'));
  await subject.close();
});

test('an iframe’s content box is told where it lies, scale included', async () => {
  const subject = await Subject.html(browser, `<body style="margin:0"><div style="transform:scale(.5);transform-origin:0 0">
    <iframe id=f style="border:10px solid;padding:4px;margin:0;width:200px;height:100px" srcdoc="x"></iframe></div>`);
  const id = await subject.id('#f');
  assert.deepEqual(await subject.call('transform', {id}), {x: 7, y: 7, scaleX: 0.5, scaleY: 0.5});
  assert.equal((await subject.call('describe', {id})).frameElement, true);
  assert.equal((await subject.call('walk')).rows.find(row => row[5] === 1)[3], id);
  await subject.close();
});

test('scrolling ends where it says', async () => {
  const subject = await Subject.html(browser, `<html style="scroll-behavior:smooth"><body style="height:5000px"><div id=d style="height:100px;overflow:auto"><div id=i style="height:900px">x</div></div></body>`);
  assert.deepEqual(await subject.call('scroll', {by: {x: 0, y: 300}}), {scrolled: {x: 0, y: 300}, position: {x: 0, y: 300}});
  assert.equal((await subject.call('scroll', {to: 'top'})).position.y, 0);
  const bottom = await subject.call('scroll', {to: 'bottom'});
  assert.equal(bottom.position.y, await subject.evaluate('document.documentElement.scrollHeight - innerHeight'));
  const inner = await subject.id('#i');
  assert.deepEqual((await subject.call('scroll', {id: inner, by: {x: 0, y: 50}})).position, {x: 0, y: 50});
  await subject.close();
});

test('an expectation is judged in the page and a change is told', async () => {
  const subject = await Subject.html(browser, `<p id=p style="text-transform:uppercase">Two  <b>words</b></p><input id=i value="a&#10;b"><textarea id=t>x
y</textarea><select id=s><option value=1>One<option value=2 selected>Two</select><input id=c type=checkbox checked>
    <input id=pw type=password value=hunter22><p id=h hidden>x</p>`);
  const holds = async (css, argument) => subject.call('holds', {id: await subject.id(css), ...argument});
  assert.deepEqual(await holds('#p', {kind: 'text', expected: 'two words'}), {holds: true, matched: 'content', actual: 'TWO WORDS'});
  assert.equal((await holds('#p', {kind: 'text', expected: 'Two words', exact: true})).holds, true);
  assert.equal((await holds('#p', {kind: 'text', expected: 'words', exact: true})).holds, false);
  assert.equal((await holds('#t', {kind: 'value', expected: 'x\r\ny'})).holds, true);
  assert.equal((await holds('#s', {kind: 'value', expected: '2'})).matched, 'value');
  assert.equal((await holds('#s', {kind: 'value', expected: 'Two'})).matched, 'label');
  assert.deepEqual(await holds('#s', {kind: 'value', expected: 'One'}), {holds: false, actual: '2'});
  assert.equal((await holds('#c', {kind: 'value', expected: 'true'})).matched, 'checked');
  assert.deepEqual(await holds('#pw', {kind: 'value', expected: 'x'}), {holds: false, actual: '[masked value]'});
  assert.deepEqual(await holds('#pw', {kind: 'attribute', attribute: 'value', expected: 'x'}), {holds: false, actual: '[masked value]'});
  assert.equal((await holds('#pw', {kind: 'value', expected: 'hunter22'})).holds, true);
  assert.deepEqual(await holds('#h', {kind: 'visible'}), {holds: false, actual: 'hidden'});
  assert.deepEqual(await holds('#p', {kind: 'attribute', attribute: 'title'}), {holds: false, actual: null});
  assert.equal((await holds('#c', {kind: 'attribute', attribute: 'checked'})).holds, true);
  const change = subject.call('changed', {waitMs: 5000});
  await subject.evaluate(`window.timer = setInterval(() => p.title = Math.random(), 20)`);
  assert.deepEqual(await change, {changed: true});
  await subject.evaluate(`clearInterval(timer)`);
  await subject.call('changed', {waitMs: 100});
  assert.deepEqual(await subject.call('changed', {waitMs: 30}), {changed: false});
  await subject.close();
});

test('what is fixed to the window is told apart', async () => {
  const subject = await Subject.html(browser, `<div style="position:fixed;bottom:0"><input type=password value=abc></div>
    <div style="position:sticky;top:0"><iframe id=f></iframe></div><input id=open type=password value=abc><iframe id=g hidden></iframe>`);
  const {boxes} = await subject.call('sensitiveBoxes');
  assert.deepEqual(boxes.map(box => box.pinned ?? false), [true, false]);
  assert.equal((await subject.call('transform', {id: await subject.id('#f')})).pinned, true);
  assert.equal((await subject.call('transform', {id: await subject.id('#g')})).hidden, true);
  await subject.close();
});

test('a value that a script took out of a field is known all the same', async () => {
  const subject = await Subject.html(browser, `<input id=pw type=password value="hunter2secret">`);
  await subject.call('maskValues', {value: null});
  const stolen = await subject.evaluate(`(v => { pw.value = ''; return 'x' + v })(pw.value)`);
  assert.deepEqual(await subject.call('maskValues', {value: stolen}), {value: 'x[masked value]'});
  await subject.close();
});

test('what only wraps a control is folded into it', async () => {
  const subject = await Subject.html(browser, `<label><input type=checkbox aria-label="Milk"><span>Milk</span></label>
    <nav><ul><li><a href="#a">Home</a><li><b><a href="#b">Shop</a></b><li>Text <a href="#c">x</a></ul></nav>
    <table><tr><th>Name<th>Do<tr><td>Ada<td><button aria-label="Edit Ada">x</button><tr><td tabindex=0>Bob<td><button>Edit</button> <button>Drop</button></table>`);
  assert.equal(treeOf((await subject.call('walk')).rows), `checkbox "Milk" [checked=false]
navigation
  list
    link "Home"
    link "Shop"
    listitem
      text "Text"
      link "x"
table
  row
    columnheader "Name"
    columnheader "Do"
  row
    cell "Ada"
    button "Edit Ada"
  row
    cell "Bob"
    cell "Edit Drop"
      button "Edit"
      button "Drop"`);
  const {rows} = await subject.call('walk');
  const cells = rows.filter(row => row[1] === 'cell').map(row => [row[2], row[3] !== 0]);
  assert.deepEqual(cells, [['Ada', false], ['Bob', true], ['Edit Drop', false]]);
  const cut = await subject.call('walk', {maxNodes: 4});
  assert.equal(cut.rows.length + cut.more.remaining, rows.length);
  await subject.close();
});
