// The window under real input: keys and mouse go through X and GLFW.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import test, { after, before } from 'node:test';

import { archive, display, folder, PlayerWindow, player } from './display.mjs';

let screen;
before(async () => { screen = await display(); });
after(() => screen?.close());

async function opened(kind, work, ...args) {
  const window = await PlayerWindow.open(screen, [await archive(kind), '--chromium', 'none', '--scale', '1', ...args]);
  try { await work(window); } finally { await window.close(); }
}

test('keys move the playhead, zoom and choose panels', () => opened('rich', async window => {
  await window.key('End');
  await window.until(s => s.t === 12000, 'the end');
  await window.key('Home');
  await window.until(s => s.t === 0, 'the beginning');
  await window.key('Right');
  const first = await window.until(s => s.t > 0, 'the next event');
  await window.key('Right');
  const second = await window.until(s => s.t > first.t, 'the one after');
  await window.key('Left');
  await window.until(s => s.t === first.t, 'the one before');
  assert.ok(second.t > first.t);
  await window.key('shift+Right');
  await window.until(s => s.t === 2000 && s.steps[s.step].ok === false, 'the failed step');
  await window.key('Down');
  await window.until(s => s.step === 6, 'the step below');
  await window.key('Up');
  await window.until(s => s.step === 5, 'the step above');
  await window.key('plus', 'plus');
  const zoomed = await window.until(s => !s.viewport.fitted, 'a closer look');
  assert.ok(zoomed.viewport.from <= 2000 && zoomed.viewport.to >= 2000);
  await window.key('f');
  await window.until(s => s.viewport.fitted, 'everything again');
  await window.key('2');
  await window.until(s => s.panel === 'coverage', 'the coverage panel');
}));

test('Space plays and pauses', () => opened('rich', async window => {
  await window.key('space');
  await window.until(s => s.playing && s.t > 0, 'a moving playhead');
  await window.key('space');
  await window.until(s => !s.playing, 'a pause');
}));

test('a click and a drag on the ruler move the playhead there', () => opened('rich', async window => {
  const y = window.state().plot.y + 12;
  await window.click(window.x(6000), y);
  const there = await window.until(s => Math.abs(s.t - 6000) < 30, 'six seconds');
  assert.equal(there.stage.picture.t, Math.floor(there.t / 1000) * 1000);
  await window.press(window.x(3000), y);
  await window.until(s => Math.abs(s.t - 3000) < 30, 'three seconds');
  await window.move(window.x(9000), y);
  await window.until(s => Math.abs(s.t - 9000) < 30, 'nine seconds while the button is down');
  await window.release();
  await window.pause();
  await window.move(window.x(1000), y);
  await window.pause();
  assert.ok(Math.abs(window.state().t - 9000) < 30, 'the playhead follows only while the button is down');
}));

test('the wheel zooms about the pointer, the right button drags', () => opened('rich', async window => {
  const x = window.x(4000), y = window.state().plot.y + 60;
  await window.move(x, y);
  await window.pause();
  await window.xdotool('click', '4');
  await window.until(s => !s.viewport.fitted, 'a closer look');
  await window.xdotool('click', '4');
  const zoomed = await window.until(s => s.viewport.to - s.viewport.from < 9000, 'a still closer look');
  assert.ok(Math.abs(window.x(4000, zoomed) - x) < 3, 'what was under the pointer stays there');
  await window.press(x, y, 3);
  await window.move(x - 200, y);
  await window.until(s => s.viewport.from > zoomed.viewport.from + 500, 'a moved view');
  await window.release(3);
}));

test('a click in the list selects the step', () => opened('rich', async window => {
  // Below bar, notice and tabs: a header, then rows of 26 points.
  const top = 44 + 26 * window.state().notices.length + 34;
  await window.click(120, top + 32 + 26 * 2 + 13);
  const state = await window.until(s => s.step === 2, 'the third step');
  assert.equal(state.t, 1100);
  assert.equal(state.details.tool, 'click');
}));

test('a recording that goes on grows in the window', async () => {
  const file = path.join(folder(), 'live.browx');
  const writer = spawn(process.env.BROWX_MAKE_ARCHIVE, ['live', file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: writer.stdout })[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, 'ready');
  const window = await PlayerWindow.open(screen, [file, '--chromium', 'none', '--scale', '1']);
  try {
    const before = window.state();
    assert.equal(before.live, true);
    writer.stdin.write('\n');
    assert.equal((await lines.next()).value, 'written');
    await window.until(s => s.steps.length === before.steps.length + 1, 'the new step');
    writer.stdin.end();
    await window.until(s => !s.live && s.sealed, 'the end of the recording');
  } finally {
    await window.close();
    writer.kill();
  }
});

test('the window closes when it is asked to', () => opened('empty', async window => {
  assert.ok(player());
  await window.xdotool('windowclose', window.id).catch(() => {});
  await window.ended;
}));
