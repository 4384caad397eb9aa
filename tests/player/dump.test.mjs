// browx-player --dump: what the panels would show, without any display.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';

import { archive, folder, run_player } from './display.mjs';

const dump = async (...args) => {
  const ran = await run_player([...args, '--dump']);
  assert.equal(ran.code, 0, ran.stderr);
  assert.equal(ran.stderr, '');
  return JSON.parse(ran.stdout);
};

test('a moment of a recording is told as JSON', async () => {
  const told = await dump(await archive('rich'), '--at', '2.1s', '--panel', 'network');
  assert.deepEqual([told.title, told.t, told.clock, told.panel, told.step], ['Order and pay', 2100, '0:02.100', 'network', 5]);
  assert.deepEqual(told.coverage.totals, { passed: 2, failed: 1, exercised: 1, unclosed: 1, empty: 1, missing: 0 });
  assert.deepEqual(told.coverage.criteria.map(c => `${c.id} ${c.state}`), ['AC-1 passed', 'AC-2 failed', 'AC-3 exercised', 'AC-5 empty', 'AC-6 passed', 'AC-4 unclosed']);
  assert.deepEqual(told.stage.picture, { t: 2000, width: 160, height: 90 });
  assert.deepEqual(told.network.map(r => r.status), [200, 200, 404, 201, 0, 101]);
  assert.match(told.details.error, /41\.00 %s %n ##hidden###id/);
});

test('archives that are empty, killed or truncated are told as what they are', async () => {
  const empty = await dump(await archive('empty'));
  assert.deepEqual([empty.steps, empty.notices, empty.sealed, empty.step], [[], [], true, null]);
  const killed = await dump(await archive('killed'));
  assert.equal(killed.partial, true);
  assert.equal(killed.notices[0].weight, 'grave');
  assert.equal(killed.steps.length, 12);
  const truncated = await dump(await archive('truncated'));
  assert.match(truncated.notices.find(n => n.weight === 'grave').text, /event-cap/);
});

test('wrong arguments name what is right and end with 2', async () => {
  const file = await archive('rich');
  for (const [args, said] of [
    [['--at', 'noon'], /"noon" is no moment.*3\.2s/], [['--at', ''], /is no moment/], [['--at', '99s'], /behind the end.*0:12\.000/], [['--panel', 'stepz'], /"stepz".*steps, coverage/],
    [['--theme', 'blue'], /dark, light/], [['--size', '10x10'], /320x240/], [['--size', '1280'], /1280x800/], [['--scale', '9'], /0\.5 to 4/], [['--nonsense'], /nonsense/],
  ]) {
    const ran = await run_player([file, ...args, '--dump']);
    assert.equal(ran.code, 2, `${args}: ${ran.stderr}`);
    assert.match(ran.stderr, said);
    assert.equal(ran.stdout, '');
  }
  assert.equal((await run_player([])).code, 2);
});

test('what is no archive is refused with its code and ends with 3', async () => {
  const there = folder(), text = path.join(there, 'text.browx');
  fs.writeFileSync(text, 'hello');
  for (const [file, code] of [[path.join(there, 'none.browx'), 'not-found'], [there, 'not-a-file'], [text, 'not-an-archive']]) {
    const ran = await run_player([file, '--dump']);
    assert.equal(ran.code, 3);
    assert.match(ran.stderr, new RegExp(`browx-player: ${code}: `));
  }
  const newer = await archive('rich'), bytes = fs.readFileSync(newer);
  bytes.writeUInt32BE(99, 60);  // user_version of the SQLite header
  fs.writeFileSync(newer, bytes);
  const ran = await run_player([newer, '--dump']);
  assert.equal(ran.code, 3);
  assert.match(ran.stderr, /archive-too-new/);
});

test('without a display a window is refused with the remedy', async () => {
  const ran = await run_player([await archive('rich'), '--shot', path.join(folder(), 'x.png')]);
  assert.equal(ran.code, 1);
  assert.match(ran.stderr, /no display.*xvfb-run/);
});

test('help and version answer', async () => {
  const help = await run_player(['--help']), version = await run_player(['--version']);
  assert.equal(help.code, 0);
  for (const word of ['--at', '--panel', '--shot', '--dump', '--theme', 'Exit status']) assert.ok(help.stdout.includes(word), word);
  assert.match(version.stdout, /^browx-player \d+\.\d+\.\d+\n$/);
});
