// The spec that is generated from the demo's recording: it reads well, passes unedited, and notices every mutant for the right reason.
//
// BROWX_SPEC_RUNS: how often it has to pass in a row (default 1). BROWX_ALL_MUTANTS=1: every mutant instead of three.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { startApp } from '../app/server.mjs';
import { mutants } from '../app/server/mutants.mjs';
import { browx, cli, temporaryFolder } from '../support/browx.mjs';
import { play } from './play.mjs';
import { criteria, record, secrets } from './record.mjs';

// Below this checkout, where the spec finds @playwright/test.
const build = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../build');
fs.mkdirSync(build, { recursive: true });
const folder = fs.mkdtempSync(path.join(build, 'demo-spec-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

let spec, origin, warnings;
before(async () => {
  const app = await startApp();
  try {
    const { file } = await record({ bin: browx(), workspace: temporaryFolder(), app });
    const generated = await cli(['generate', file, '--target', 'playwright']);
    assert.equal(generated.code, 0, generated.stderr);
    ({ stdout: spec, stderr: warnings } = generated);
    origin = app.url;
  } finally {
    await app.close();
  }
});

/// Plays the spec on a new app, with `mutant` or without.
async function on(mutant) {
  const app = await startApp({ mutant });
  try {
    return await play({ spec, url: app.url, folder: path.join(folder, mutant || 'as-it-is') });
  } finally {
    await app.close();
  }
}

test('every step is written, and nothing is fragile', () => {
  assert.equal(warnings, '');
  assert.doesNotMatch(spec, /Not written/i);
});

test('elements are found as a person would find them', () => {
  assert.doesNotMatch(spec, /\.nth\(|\.first\(|\.last\(/);
  assert.doesNotMatch(spec, /\.locator\(|\.frameLocator\(|\$\(|xpath=/, 'no CSS selector');
  assert.doesNotMatch(spec, /waitForTimeout|setTimeout/);
});

test('paths are relative to baseURL', () => {
  const code = spec.replace(/^\s*\/\/.*$/gm, '');
  assert.match(code, /goto\('\/'\)/);
  assert.doesNotMatch(code, /https?:\/\//);
  assert.ok(!code.includes(new URL(origin).host));
});

test('there is one test.step for each criterion, in order', () => {
  const titles = [...spec.matchAll(/test\.step\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g)].map(([, , title]) => title.replace(/\\(.)/g, '$1'));
  assert.deepEqual(titles, Object.entries(criteria).map(([label, title]) => `${label}: ${title}`));
});

test('no secret is in it, and each is asked for by its name', () => {
  for (const [name, value] of Object.entries(secrets)) {
    assert.ok(!spec.includes(`'${value}'`) && !(value.length > 5 && spec.includes(value)), `the value of ${name}`);
    assert.ok(spec.includes(`process.env.${name}`), `process.env.${name}`);
  }
});

test('it passes unedited', async () => {
  const runs = Number(process.env.BROWX_SPEC_RUNS ?? 1);
  for (let run = 1; run <= runs; run++) {
    const { passed, steps, error } = await on('');
    assert.ok(passed, `run ${run} of ${runs}: ${error}`);
    assert.equal(steps.filter(step => /^AC-\d/.test(step.title)).length, 4);
  }
});

const chosen = process.env.BROWX_ALL_MUTANTS === '1' ? Object.keys(mutants) : ['wrong-total', 'no-confirm', 'payment-declined'];
for (const name of chosen) {
  const { says, breaks, sign } = mutants[name];
  test(`it notices ${name}: ${says}`, async () => {
    const { passed, steps, error } = await on(name);
    assert.ok(!passed, 'the spec passes on the mutant');
    const failed = steps.find(step => step.error);
    assert.ok(failed?.title.startsWith(`${breaks}:`), `${failed?.title ?? 'nothing'} failed, not ${breaks}: ${error}`);
    assert.match(error, sign);
  });
}
