// Every tool that touches a page does its work in the main frame, in a frame of this origin and in one of another site.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';

import { Server, textOf } from '../support/browx.mjs';
import { decode } from '../support/png.mjs';
import { startSite } from '../support/serve.mjs';

const site = await startSite();
let server;
before(async () => {
  server = await Server.start();
  await server.ok('open_session', { viewport: { width: 1000, height: 1600 } });
});
after(async () => { await server?.close(); await site.close(); });

// Ref of a control in the frame under test: its heading tells which copy a snapshot line belongs to.
async function refs(frame) {
  const lines = (await server.snapshot()).split('\n'), own = { main: 0, same: 1, cross: 2 }[frame];
  const starts = lines.flatMap((line, i) => (/heading "Controls (main|same|cross)"/.test(line) ? [i] : []));
  assert.equal(starts.length, 3, `three copies in\n${lines.join('\n')}`);
  assert.match(lines[starts[own]], new RegExp(`Controls ${frame}`), 'frames stand in document order');
  const part = lines.slice(starts[own], starts[own + 1] ?? lines.length);
  return (role, name) => {
    const line = part.find(l => l.trim().replace(/^- /, '').startsWith(`${role} "${name}"`));
    assert.ok(line, `${role} ${name} in\n${part.join('\n')}`);
    return line.match(/\[ref=(e\d+)\]/)[1];
  };
}

// What the copy in `frame` logged.
async function log(frame) {
  const text = await server.snapshot(), part = text.slice(text.indexOf(`Controls ${frame}`));
  return part.match(/status [^\n]*\n\s+text "([^"]*)"/)?.[1] ?? '';
}

for (const frame of ['main', 'same', 'cross']) {
  describe(`in the ${frame} frame`, () => {
    let ref;
    beforeEach(async () => {
      await server.ok('navigate', { url: site.url('/pages/controls.html?frames=1') });
      ref = await refs(frame);
    });
    const logged = async wanted => assert.match(await log(frame), wanted);

    test('click presses, with any button and count', async () => {
      const answer = await server.ok('click', { ref: ref('button', 'Press') });
      assert.equal(answer.action.type, 'click');
      assert.equal(answer.element.stillAttached, true);
      await server.ok('click', { ref: ref('button', 'Press'), clickCount: 2 });
      await logged(/^click:0:1 click:0:1 click:0:2/);
    });

    test('fill types what the control then holds, and verify_value tells right from wrong', async () => {
      const box = ref('textbox', 'Text'), answer = await server.ok('fill', { ref: box, value: 'Zoë 日本' });
      assert.equal(answer.element.value, 'Zoë 日本');
      await server.ok('verify_value', { ref: box, value: 'Zoë 日本' });
      const wrong = await server.call('verify_value', { ref: box, value: 'Zoe' });
      assert.equal(wrong.ok, false);
      assert.equal(wrong.failure.source, 'app');
      assert.deepEqual([wrong.failure.expected, wrong.failure.actual], ['Zoe', 'Zoë 日本']);
    });

    test('press sends keys to the element', async () => {
      await server.ok('press', { ref: ref('textbox', 'Text'), key: 'a' });
      await server.ok('verify_value', { ref: ref('textbox', 'Text'), value: 'a' });
      await logged(/key:a input/);
    });

    test('select chooses by label and by value, and refuses a disabled option', async () => {
      const city = ref('combobox', 'City');
      await server.ok('select', { ref: city, values: ['Rome'] });
      await server.ok('verify_value', { ref: city, value: 'rom' });
      await server.ok('select', { ref: city, values: ['osl'] });
      const refused = await server.call('select', { ref: city, values: ['Lima'] });
      assert.equal(refused.ok, false);
      await server.ok('verify_value', { ref: city, value: 'osl' });
    });

    test('hover moves the pointer onto the element', async () => {
      await server.ok('hover', { ref: ref('button', 'Hover') });
      await logged(/hover/);
    });

    test('scroll moves the box and says where it stands', async () => {
      const box = ref('region', 'Box');
      await server.ok('scroll', { ref: box, by: { x: 0, y: 40 } });
      await server.ok('verify_attribute', { ref: box, attr: 'data-top', value: '40' });
      await server.ok('scroll', { ref: box, to: 'top' });
      await server.ok('verify_attribute', { ref: box, attr: 'data-top', value: '0' });
    });

    test('wait_for ends when the text appears, and at its deadline when it does not', async () => {
      const early = await server.call('wait_for', { text: `appeared ${frame}`, timeoutMs: 200 });
      assert.equal(early.ok, false);
      assert.match(early.error, new RegExp(`appeared ${frame}`));
      await server.ok('click', { ref: ref('button', 'Show later') });
      const waiting = server.ok('wait_for', { text: `appeared ${frame}`, timeoutMs: 10000 });
      await site.release('later');
      await waiting;
    });

    test('verify_visible, verify_text and verify_attribute pass and fail with what they saw', async () => {
      await server.ok('verify_visible', { ref: ref('button', 'Press') });
      await server.ok('verify_text', { ref: ref('button', 'Press'), text: 'press' });
      assert.equal((await server.call('verify_text', { ref: ref('button', 'Press'), text: 'press', exact: true })).ok, false);
      await server.ok('verify_attribute', { ref: ref('link', 'Link'), attr: 'title', value: 'a link' });
      const wrong = await server.call('verify_attribute', { ref: ref('link', 'Link'), attr: 'title', value: 'no link' });
      assert.equal(wrong.failure.actual, 'a link');
    });

    test('screenshot of an element is a picture of its size', async () => {
      const result = await server.raw('screenshot', { ref: ref('button', 'Press'), format: 'png' });
      const image = result.content.find(c => c.type === 'image');
      assert.equal(image?.mimeType, 'image/png', textOf(result));
      const { width, height } = decode(Buffer.from(image.data, 'base64'));
      assert.ok(width > 20 && width < 200 && height > 10 && height < 60, `${width} × ${height}`);
    });
  });
}

test('verify_count counts over all frames', async () => {
  await server.ok('navigate', { url: site.url('/pages/controls.html?frames=1') });
  await server.ok('verify_count', { selector: '.item', n: 9 });
  assert.equal((await server.call('verify_count', { selector: '.item', n: 3 })).failure.actual, 9);
});

test('history and reload go where a person would', async () => {
  await server.ok('navigate', { url: site.url('/pages/form.html') });
  await server.ok('navigate', { url: site.url('/pages/history.html') });
  const pushed = await server.ok('click', { selector: '#push' });
  assert.equal(pushed.navigation.kind, 'spa');
  assert.equal((await server.ok('go_back')).navigation.kind, 'spa');
  assert.equal((await server.ok('go_back')).navigation.kind, 'full_load');
  assert.match(await server.snapshot(), /heading "Sign in"/);
  await server.ok('go_forward');
  assert.match(await server.snapshot(), /heading "start"/);
  const hash = await server.ok('click', { selector: 'role=link[name="Hash link"]' });
  assert.equal(hash.navigation.kind, 'hash');
  await server.ok('reload');
  assert.match(await server.snapshot(), /heading "start"/);
});

test('sessions are apart: cookies, tabs, viewport', async () => {
  await server.ok('open_session', { session: 'other', url: site.url('/api/me') });
  await server.ok('set_viewport', { session: 'other', width: 640, height: 480 });
  assert.equal((await server.ok('eval_js', { session: 'other', expr: 'innerWidth' })).value ?? (await server.call('eval_js', { session: 'other', expr: 'innerWidth' })).result, 640);
  const { sessions } = await server.ok('list_sessions');
  assert.deepEqual(sessions.map(s => s.session ?? s.name).sort(), ['default', 'other']);
  await server.ok('close_session', { session: 'other' });
  assert.equal((await server.call('close_session', { session: 'other' })).code, 'session-not-found');
});

test('dialogs follow the policy and are named', async () => {
  await server.ok('navigate', { url: site.url('/pages/dialogs.html') });
  const raised = await server.call('click', { selector: '#confirm' });
  assert.equal(raised.ok, false);
  assert.match(JSON.stringify(raised), /Delete it\?/);
  await server.ok('set_dialog_policy', { mode: 'accept-prompt-with', text: 'Ada' });
  const answered = await server.ok('click', { selector: '#prompt' });
  assert.equal(answered.dialogs[0].message, 'Your name?');
  await server.ok('click', { selector: '#two' });
  await server.ok('verify_text', { selector: '#log', text: 'confirm=false prompt=Ada first=true second=true' });
  await server.ok('set_dialog_policy', { mode: 'raise' });
});

test('console_read and network_read tell what happened', async () => {
  await server.ok('navigate', { url: site.url('/pages/console.html') });
  await server.ok('click', { selector: '#lines' });
  const lines = JSON.stringify(await server.ok('console_read'));
  for (const text of ['a debug line', 'a log line', 'an info line', 'a warning', 'an error line']) assert.match(lines, new RegExp(text));
  const thrown = await server.ok('click', { selector: '#throw' });
  assert.match(JSON.stringify(thrown.pageErrors), /thrown on purpose/);
  const { summary, requests } = await server.ok('network_read');
  assert.ok(summary.total >= requests.length && requests.some(r => r.url.includes('/pages/console.html')));
});

test('batch does its calls in order and stops where told', async () => {
  await server.ok('navigate', { url: site.url('/pages/controls.html') });
  const done = await server.call('batch', { calls: [
    { tool: 'fill', args: { selector: '#text', value: 'one' }, expect: { valueEquals: 'one' } },
    { tool: 'click', args: { selector: '#nosuch', timeoutMs: 200 } },
    { tool: 'fill', args: { selector: '#text', value: 'two' } },
  ] });
  assert.deepEqual([done.completed, done.failedAt], [1, 1]);
  await server.ok('verify_value', { selector: '#text', value: 'one' });
});

test('a popup becomes a tab of the session', async () => {
  await server.ok('navigate', { url: site.url('/pages/popup.html') });
  const opened = await server.ok('click', { selector: '#far' });
  assert.equal(opened.structure.newTabs.length, 1);
  const { tab } = opened.structure.newTabs[0];
  await server.ok('click', { tab, selector: 'role=button[name="Press far-popup"]' });
});
