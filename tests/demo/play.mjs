// Runs a generated spec with Playwright and reads its report.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { secrets } from './record.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const playwright = path.join(path.dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');

/// Writes `spec` (TypeScript text) to demo.spec.ts in `folder` (below this checkout, where it finds @playwright/test) and runs it once on the app at `url`:
/// {passed, milliseconds, steps: [{title, error?}], error?, output}. `steps` are the outermost test.steps that were begun.
export async function play({ spec, url, folder, patience = 15_000 }) {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'demo.spec.ts'), spec);
  const report = path.join(folder, 'report.json');
  fs.rmSync(report, { force: true });
  const { stdout, stderr } = await new Promise(done => execFile(process.execPath, [playwright, 'test', '--config', path.join(here, 'playwright.config.mjs'), '--reporter', 'json'], {
    cwd: path.resolve(here, '../..'), maxBuffer: 64 << 20,
    env: {
      ...process.env, ...secrets, BROWX_BASE_URL: url, BROWX_SPECS: folder, BROWX_OUTPUT: path.join(folder, 'results'), BROWX_EXPECT_MS: String(patience),
      PLAYWRIGHT_JSON_OUTPUT_NAME: report, NO_COLOR: '1', FORCE_COLOR: '0', NODE_OPTIONS: '',
    },
  }, (error, out, err) => done({ stdout: out, stderr: err })));
  if (!fs.existsSync(report)) throw new Error(`Playwright ended without a report:\n${stdout}\n${stderr}`);
  const told = JSON.parse(fs.readFileSync(report, 'utf8')), results = [];
  fs.rmSync(report);
  const visit = suite => { suite.specs?.forEach(one => one.tests.forEach(t => results.push(...t.results))); suite.suites?.forEach(visit); };
  told.suites.forEach(visit);
  if (results.length !== 1) throw new Error(`${results.length} tests were run instead of one: ${told.errors.map(e => e.message).join('\n') || stderr}`);
  if (results[0].status === 'passed') fs.rmSync(path.join(folder, 'results'), { recursive: true, force: true });
  const [result] = results, plain = text => text?.replace(/\x1b\[[\d;]*m/g, '');
  return {
    passed: result.status === 'passed', milliseconds: Math.round(result.duration),
    steps: (result.steps ?? []).map(step => ({ title: step.title, error: plain(step.error?.message) })),
    error: plain(result.errors?.map(e => `${e.message}\n${e.snippet ?? ''}`).join('\n')) || undefined,
    output: path.join(folder, 'results'),
  };
}
