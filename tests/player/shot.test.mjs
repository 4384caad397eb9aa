// browx-player --shot: pictures of the real window.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test, { after, before } from 'node:test';

import { decode } from '../support/png.mjs';
import { archive, display, folder, run_player } from './display.mjs';

let screen;
const pictures = folder();
before(async () => { screen = await display(); });
after(() => screen?.close());

let shots = 0;
async function shot(file, ...args) {
  const png = path.join(pictures, `${++shots}.png`);
  const ran = await run_player([file, '--shot', png, '--chromium', 'none', ...args], { DISPLAY: screen.name });
  assert.equal(ran.code, 0, ran.stderr);
  return decode(fs.readFileSync(png));
}

function colours(picture) {
  const seen = new Map();
  for (let y = 0; y < picture.height; y += 3)
    for (let x = 0; x < picture.width; x += 3) {
      const key = picture.at(x, y).slice(0, 3).join();
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
  return seen;
}
const most = picture => [...colours(picture)].sort((a, b) => b[1] - a[1])[0][0].split(',').map(Number);
function differing(a, b) {
  let count = 0;
  for (let y = 0; y < a.height; ++y)
    for (let x = 0; x < a.width; ++x) if (a.at(x, y).slice(0, 3).join() !== b.at(x, y).slice(0, 3).join()) ++count;
  return count;
}
/// How much of the picture is that colour.
const share = (picture, rgb) => (colours(picture).get(rgb.join()) ?? 0) / (picture.width * picture.height / 9);

test('dark and light pictures have the size asked for and something on them', async () => {
  const file = await archive('rich');
  const dark = await shot(file, '--at', '2s'), light = await shot(file, '--at', '2s', '--theme', 'light', '--size', '1024x700');
  assert.deepEqual([dark.width, dark.height, light.width, light.height], [1280, 800, 1024, 700]);
  for (const picture of [dark, light]) assert.ok(colours(picture).size > 100, `only ${colours(picture).size} colours`);
  assert.ok(Math.max(...most(dark)) < 60, `dark is ${most(dark)}`);
  assert.ok(Math.min(...most(light)) > 200, `light is ${most(light)}`);
});

test('two device pixels a point make a picture of twice the size', async () => {
  const picture = await shot(await archive('rich'), '--size', '900x600', '--scale', '2');
  assert.deepEqual([picture.width, picture.height], [1800, 1200]);
});

test('the same moment looks the same, and the stage shows the picture of the moment', async () => {
  const file = await archive('rich');
  const [one, again, later] = [await shot(file, '--at', '2s'), await shot(file, '--at', '2s'), await shot(file, '--at', '9.5s')];
  assert.equal(differing(one, again), 0);
  assert.ok(differing(one, later) > 10_000);
  // make_archive.cpp paints the picture of second i in (20 i, 250 - 20 i, 40 or 200).
  assert.ok(share(one, [40, 210, 40]) > 0.05, `second 2: ${share(one, [40, 210, 40])}`);
  assert.ok(share(later, [180, 70, 200]) > 0.05, `second 9: ${share(later, [180, 70, 200])}`);
  assert.equal(share(one, [180, 70, 200]), 0);
});

test('every panel can be drawn of every kind of archive', async () => {
  for (const kind of ['rich', 'empty', 'killed', 'truncated']) {
    const file = await archive(kind), seen = [];
    for (const panel of ['steps', 'coverage', 'network', 'console', 'gaps', 'session']) {
      const picture = await shot(file, '--panel', panel, '--size', '700x480');
      for (const other of seen) assert.ok(differing(picture, other) > 100, `${kind}: ${panel} looks like another panel`);
      seen.push(picture);
    }
  }
});

test('a picture that cannot be written is an error that names it', async () => {
  const ran = await run_player([await archive('rich'), '--shot', path.join(pictures, 'none', 'x.png'), '--chromium', 'none'], { DISPLAY: screen.name });
  assert.equal(ran.code, 1);
  assert.match(ran.stderr, /none\/x\.png cannot be written/);
});

test('an hour of a recording is drawn', async () => {
  const picture = await shot(await archive('huge'), '--at', '1000s');
  assert.ok(colours(picture).size > 50);
});
