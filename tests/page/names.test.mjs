import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, root, serve, Subject} from './harness.mjs';

let browser, server;
before(async () => { browser = await launch(); server = await serve(); });
after(async () => { await browser.close(); await server.close(); });

test('roles and names of the name maze are those of the browser', async () => {
  const folder = 'tests/cases/b01-name-maze';
  const expected = JSON.parse(readFileSync(join(root, folder, 'expected.json'), 'utf8'));
  const subject = await Subject.open(browser, `${server.origin}/b01-name-maze/index.html`);
  for (const [id, {role, name, nameLength, nameStart}] of Object.entries(expected)) {
    const actual = await subject.call('describe', {id: await subject.id(`[id=${JSON.stringify(id)}]`)});
    assert.equal(actual.role, role, id);
    if (name !== undefined) assert.equal(actual.name, name, id);
    if (nameLength !== undefined) assert.equal(actual.name.length, nameLength, id);
    if (nameStart !== undefined) assert.ok(actual.name.startsWith(nameStart), id);
  }
  for (const name of ['Save all', 'Log in', 'Sign out', 'SIGN OUT', 'Add card', 'save ALL'])
    assert.equal((await subject.call('query', {selector: `internal:role=button[name="${name}"i]`})).total, 1, name);
  const {rows} = await subject.call('walk');
  const long = rows.find(row => row[2].startsWith('Accept very long'));
  assert.ok(long[2].length < 300 && long[2].endsWith('…'));
  await subject.close();
});

// Every element of the page of elements, judged by Chromium's own tree. These roles have no ARIA word.
const chromiumOnly = new Set(['form', 'LabelText', 'Date', 'InputTime', 'ColorWell', 'DisclosureTriangle', 'sectionheader',
  'DescriptionList', 'Figcaption', 'Video', 'Audio', 'Iframe', 'Legend', 'group', 'Ruby', 'Abbr']);

test('names and roles of all kinds of elements are those of the browser', async () => {
  const subject = await Subject.open(browser, `${server.origin}/elements.html`);
  const {nodes} = await subject.cdp.send('Accessibility.getFullAXTree');
  const theirs = new Map(nodes.filter(n => n.backendDOMNodeId && !n.ignored).map(n => [n.backendDOMNodeId, n]));
  const contextId = await subject.world();
  const {result} = await subject.cdp.send('Runtime.evaluate', {contextId, expression: '[...document.body.querySelectorAll("*")]'});
  const {result: items} = await subject.cdp.send('Runtime.getProperties', {objectId: result.objectId, ownProperties: true});
  let compared = 0;
  for (const {name, value} of items) {
    if (!/^\d+$/.test(name)) continue;
    const {node} = await subject.cdp.send('DOM.describeNode', {objectId: value.objectId});
    const their = theirs.get(node.backendNodeId);
    if (!their || their.role.value === 'StaticText' || their.role.value === 'LineBreak') continue;
    const {result: id} = await subject.cdp.send('Runtime.callFunctionOn', {objectId: value.objectId, returnByValue: true,
      functionDeclaration: 'function() { return __browx.idOf(this) }'});
    const ours = await subject.call('describe', {id: id.value});
    const what = `<${ours.tag}> ${their.role.value}`;
    if (their.role.value !== 'Video' && their.role.value !== 'Audio') assert.equal(ours.name, their.name?.value ?? '', what);
    if (!chromiumOnly.has(their.role.value))
      assert.equal(ours.role.replace('generic', ''), {image: 'img', generic: ''}[their.role.value] ?? their.role.value, what);
    compared++;
  }
  assert.ok(compared > 120, `compared ${compared}`);
  await subject.close();
});

test('names under Playwright’s rules are those of Playwright', async () => {
  for (const path of ['b01-name-maze/index.html', 'elements.html', 'b02-twins/index.html']) {
    const subject = await Subject.open(browser, `${server.origin}/${path}`);
    const roles = ['button', 'link', 'textbox', 'heading', 'cell', 'row', 'img', 'checkbox', 'radio', 'combobox', 'listbox', 'group',
      'option', 'table', 'listitem', 'term', 'figure', 'region', 'spinbutton', 'columnheader', 'status'];
    for (const role of roles) {
      const {ids} = await subject.call('query', {selector: `role=${role}`, rules: 'playwright'});
      assert.equal(await subject.page.locator(`role=${role}`).count(), ids.length, `${path} ${role}`);
      for (const [index, id] of ids.entries()) {
        const name = (await subject.call('names', {id})).playwright;
        const theirs = await subject.page.locator(`role=${role}`).nth(index).ariaSnapshot();
        if (!name) continue;
        const count = await subject.page.getByRole(role, {name, exact: true}).count();
        assert.ok(count >= 1, `${path} ${role} ${JSON.stringify(name)}: ${theirs}`);
      }
    }
    await subject.close();
  }
});
