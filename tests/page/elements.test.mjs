import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {launch, serve, Subject, treeOf} from './harness.mjs';

let browser, server;
before(async () => { browser = await launch(); server = await serve(); });
after(async () => { await browser.close(); await server.close(); });

const prepare = (subject, id, purpose = 'click', waitMs = 3000) =>
  subject.call('prepare', {id, for: purpose, waitMs, scroll: true});

/** The element of a role and name, as an id. */
async function named(subject, role, name) {
  const {ids} = await subject.call('query', {selector: `role=${role}[name=${JSON.stringify(name)}]`});
  assert.equal(ids.length, 1, `${role} ${name}`);
  return ids[0];
}

test('native controls under paint are listed and pressed through their labels', async () => {
  const subject = await Subject.open(browser, `${server.origin}/b04-styled-natives/index.html`);
  const {rows} = await subject.call('walk');
  const tree = treeOf(rows);
  for (const line of ['radio "Never been here" [checked=false]', 'radio "Been here once" [checked=false]', 'checkbox "Newsletter" [checked=false]',
    'switch "Dark mode" [checked=false]', 'checkbox "I accept the terms of use and all that goes with them now" [checked=false]',
    'checkbox "Not today" [disabled] [checked=false]'])
    assert.ok(tree.includes(line), `${line}\n${tree}`);
  assert.equal(rows.filter(r => r[1] === 'text').length, 0, tree);
  for (const [role, name] of [['radio', 'Been here once'], ['checkbox', 'Newsletter'], ['switch', 'Dark mode'],
    ['checkbox', 'I accept the terms of use and all that goes with them now'], ['radio', 'Never been here']]) {
    const id = await named(subject, role, name);
    const ready = await prepare(subject, id);
    assert.ok(ready.point, JSON.stringify(ready));
    assert.equal((await subject.call('hits', {id, ...ready.point})).hit, true);
    await subject.clickAt(ready.point);
  }
  assert.equal(await subject.page.locator('#log').textContent(), 'once=true news=true dark=true terms=true never=true');
  assert.equal(await subject.evaluate('location.hash'), '');
  const refusal = await prepare(subject, await named(subject, 'checkbox', 'Not today'), 'click', 200);
  assert.equal(refusal.refused, 'disabled');
  await subject.close();
});

test('an id is one element for ever, and a lost one says how it was lost', async () => {
  const subject = await Subject.open(browser, `${server.origin}/b05-ref-after-shuffle/index.html`);
  const press = async css => subject.page.click(css);
  const first = await subject.call('walk');
  const idOf = (rows, name) => rows.find(row => row[1] === 'button' && row[2] === name)?.[3];
  const ids = ['Alpha', 'Beta', 'Gamma'].map(name => idOf(first.rows, name));
  await press('#insert');
  const second = await subject.call('walk');
  assert.deepEqual(['Alpha', 'Beta', 'Gamma'].map(name => idOf(second.rows, name)), ids);
  assert.ok(!first.rows.some(row => row[3] === idOf(second.rows, 'New1')));
  const beta = ids[1];
  await press('#rotate');
  assert.deepEqual(await subject.call('alive', {id: beta}), {alive: true, nameThen: 'Beta', nameNow: 'Alpha'});
  await press('#redraw');
  const gone = await subject.call('alive', {id: beta});
  assert.equal(gone.alive, false);
  assert.equal(gone.why, 're-rendered');
  assert.ok(gone.twin && !first.rows.concat(second.rows).some(row => row[3] === gone.twin));
  const twin = await subject.call('describe', {id: gone.twin});
  assert.equal(twin.name, 'Alpha');
  // Dropped, its neighbours stay: removed, and no neighbour is offered in its place.
  const third = await subject.call('walk');
  const dropped = third.rows.filter(row => row[1] === 'button')[5];
  await press('#drop');
  const removed = await subject.call('alive', {id: dropped[3]});
  assert.deepEqual([removed.alive, removed.why, removed.twin], [false, 'removed', undefined], dropped[2]);
  const {error} = await subject.call('describe', {id: beta}, {raw: true});
  assert.equal(error.kind, 'element-gone');
  await subject.close();
});

test('a removed row is not mistaken for its neighbour of the same name', async () => {
  const subject = await Subject.html(browser, '<ul><li>Ada <button>Delete</button><li>Bob <button>Delete</button></ul>');
  const {rows} = await subject.call('walk');
  const [ada, bob] = rows.filter(row => row[1] === 'button').map(row => row[3]);
  await subject.evaluate(`document.querySelectorAll('li')[1].remove()`);
  assert.equal((await subject.call('alive', {id: bob})).why, 'removed');
  assert.equal((await subject.call('alive', {id: ada})).alive, true);
  await subject.close();
});

test('a press lands on the target where it then is, never under what covers it', async () => {
  const subject = await Subject.open(browser, `${server.origin}/b07-covered-and-moving/index.html`);
  const log = () => subject.page.locator('#log').textContent();
  for (const name of ['Mover', 'Under glass', 'Wakes up', 'In box', 'Far below']) {
    const id = await named(subject, 'button', name);
    const ready = await prepare(subject, id, 'click', 5000);
    assert.ok(ready.point, `${name} ${JSON.stringify(ready)}`);
    await subject.clickAt(ready.point);
  }
  const started = Date.now();
  const veiled = await prepare(subject, await named(subject, 'button', 'Veiled'), 'click', 800);
  assert.equal(veiled.refused, 'covered');
  assert.match(veiled.by, /veil/);
  assert.ok(Date.now() - started < 2000);
  await subject.evaluate('scrollTo({top: document.documentElement.scrollHeight, behavior: "instant"})');
  const id = await named(subject, 'button', 'Far below');
  const before = await subject.evaluate('scrollY');
  const ready = await prepare(subject, id);
  assert.equal(ready.scrolled.y, await subject.evaluate('scrollY') - before);
  assert.ok(ready.scrolled.y < 0);
  await subject.clickAt(ready.point);
  assert.equal(await log(), 'Mover | Under glass | Wakes up | In box | Far below | Far below');
  await subject.close();
});

test('prepare says why it refuses', async () => {
  const subject = await Subject.html(browser, `<button id=gone>g</button><button id=hid style="display:none">h</button>
    <button id=vis style="visibility:hidden">v</button><button id=dis disabled>d</button><input id=ro readonly value=x>
    <div id=plain>text</div><button id=off style="position:absolute;left:-500px">o</button><button id=ok>fine</button>
    <button id=none style="pointer-events:none">n</button><img usemap="#m" width=80 height=40 src="data:," alt="map">
    <map name=m><area id=area href="#a" shape=rect coords="40,0,80,40" alt="right"></map>`);
  const refusal = async (css, purpose = 'click') => {
    const {ids: [id]} = await subject.call('query', {selector: css});
    return (await prepare(subject, id, purpose, 150));
  };
  assert.equal((await refusal('#hid')).refused, 'hidden');
  assert.match((await refusal('#hid')).detail, /display: none/);
  assert.equal((await refusal('#vis')).refused, 'hidden');
  assert.equal((await refusal('#dis')).refused, 'disabled');
  assert.equal((await refusal('#ro', 'fill')).refused, 'readonly');
  assert.equal((await refusal('#plain', 'fill')).refused, 'not-editable');
  assert.equal((await refusal('#off')).refused, 'off-screen');
  assert.equal((await refusal('#none')).refused, 'covered');
  assert.ok((await refusal('#ok')).point);
  const {point} = await refusal('#area');
  await subject.clickAt(point);
  assert.equal(await subject.evaluate('location.hash'), '#a');
  const id = await subject.id('#gone');
  await subject.evaluate(`document.querySelector('#gone').remove()`);
  assert.equal((await prepare(subject, id)).refused, 'detached');
  await subject.close();
});

test('an element at rest is ready without waiting, a moving one is not', async () => {
  const subject = await Subject.html(browser, `<style>@keyframes go{to{transform:translateX(300px)}} #m{animation:go .3s linear both}</style>
    <button id=still>Still</button><button id=m>Moves</button><input id=ro readonly><div style="height:3000px"></div><button id=far>Far</button>`);
  const still = await subject.id('#still');
  const ready = await subject.call('prepare', {id: still, for: 'click', waitMs: 1000, scroll: true, quick: true});
  assert.ok(ready.point);
  const there = await subject.call('hits', {id: still, ...ready.point});
  assert.deepEqual(there, {hit: true, attached: true, box: ready.box});
  const at = await subject.call('at', ready.point);
  assert.deepEqual(at, {id: still, frame: false});
  assert.deepEqual(await subject.call('at', {x: -5, y: -5}), {});
  const moving = await subject.id('#m');
  const arrived = await subject.call('prepare', {id: moving, for: 'click', waitMs: 3000, scroll: true, quick: true});
  assert.equal((await subject.call('hits', {id: moving, ...arrived.point})).box.x, arrived.box.x);
  assert.equal(await subject.evaluate(`document.getAnimations().filter(a => a.playState === 'running').length`), 0);
  const far = await subject.call('prepare', {id: await subject.id('#far'), for: 'click', waitMs: 1000, scroll: true, quick: true});
  assert.ok(far.scrolled.y > 2000);
  const started = Date.now();
  assert.equal((await subject.call('prepare', {id: await subject.id('#ro'), for: 'fill', waitMs: 5000, scroll: true})).refused, 'readonly');
  assert.ok(Date.now() - started < 2000);
  await subject.evaluate('still.remove()');
  assert.deepEqual(await subject.call('hits', {id: still, x: 10, y: 10}), {hit: false, attached: false});
  await subject.close();
});

test('presses are counted for whom they reach', async () => {
  const subject = await Subject.open(browser, `${server.origin}/b05-ref-after-shuffle/index.html`);
  const press = async name => {
    const id = await named(subject, 'button', name);
    await subject.call('actionBegin', {id});
    const ready = await prepare(subject, id);
    await subject.clickAt(ready.point);
    return (await subject.call('actionEnd', {id, quietFrames: 0, waitMs: 1})).element;
  };
  const alpha = await press('Alpha');
  assert.deepEqual(alpha.hit, {pointerdown: 1, click: 1});
  const swapped = await press('Pressswap');
  assert.equal(swapped.stillAttached, false);
  assert.equal(swapped.hit.click, 0);
  const hover = await press('Hoverswap');
  assert.deepEqual([hover.stillAttached, hover.hit.click], [false, 0]);
  assert.match(hover.hit.by, /Hoverswap/);
  assert.equal(await subject.page.locator('#log').textContent(), 'Alpha Hoverswap');
  await subject.close();
});

test('changes are kept for a second answer when asked', async () => {
  const subject = await Subject.html(browser, '<ul id=l></ul>');
  await subject.call('actionBegin');
  await subject.evaluate(`l.innerHTML = '<li>one'`);
  assert.equal((await subject.call('actionEnd', {quietFrames: 0, waitMs: 1, keep: true})).appeared, 1);
  await subject.evaluate(`l.insertAdjacentHTML('beforeend', '<li>two')`);
  assert.equal((await subject.call('actionEnd', {quietFrames: 1, waitMs: 500})).appeared, 2);
  assert.equal((await subject.call('actionEnd', {quietFrames: 1, waitMs: 500})).appeared, 0);
  await subject.close();
});
