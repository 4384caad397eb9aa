// The sweep itself: one that finds nothing in a text full of secrets would prove nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sweep, sweepPieces } from './sweep.mjs';

const value = 'pä"ss w/0rd<&>';
const hit = text => sweep([{ where: 'here', bytes: Buffer.from(text) }], { SECRET: value }).map(f => f.form);

test('a value is found in each of its forms', () => {
  assert.ok(hit(`a ${value} b`).includes('plain'));
  assert.ok(hit(`?q=${encodeURIComponent(value)}`).includes('URL-encoded'));
  assert.ok(hit(`q=${new URLSearchParams({ v: 'pä"ss w' })}`).length === 0);
  assert.ok(hit(JSON.stringify({ value })).includes('JSON-escaped'));
  assert.ok(hit(JSON.stringify(JSON.stringify({ value }))).includes('JSON-escaped twice'));
  assert.ok(hit('pä&quot;ss w/0rd&lt;&amp;&gt;').includes('HTML-escaped'));
});

test('a value is found inside base64 wherever it begins', () => {
  for (const before of ['', 'x', 'xy', 'xyz', 'user:']) {
    const text = Buffer.from(`${before}${value}tail`).toString('base64');
    assert.ok(hit(text).some(f => f.startsWith('base64')), `after ${JSON.stringify(before)}`);
  }
});

test('a part of a value is found only by its pieces', () => {
  const places = [{ where: 'here', bytes: Buffer.from('value="w/0r"') }];
  assert.deepEqual(sweep(places, { SECRET: value }), []);
  assert.equal(sweepPieces(places, { SECRET: value }, 4).length, 1);
  assert.equal(sweepPieces(places, { SECRET: value }, 5).length, 0);
});
