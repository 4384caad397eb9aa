// The golden Playwright specs: prettier leaves them alone, tsc --strict accepts them, and every literal in them is the
// string it was made from.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import esbuild from 'esbuild';
import prettier from 'prettier';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'tests/golden/playwright');
const specs = fs.readdirSync(folder).filter(name => name.endsWith('.spec.ts'));

test('there are golden specs', () => assert.ok(specs.length >= 4));

for (const name of specs) {
  test(`${name} is as prettier would write it`, async () => {
    const source = fs.readFileSync(path.join(folder, name), 'utf8');
    const formatted = await prettier.format(source, { parser: 'typescript', singleQuote: true, printWidth: 100 });
    assert.equal(source, formatted);
  });
}

test('the compiler accepts them with --strict', async () => {
  const config = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'browx-tsc-')), 'tsconfig.json');
  fs.writeFileSync(config, JSON.stringify({
    compilerOptions: { strict: true, noEmit: true, skipLibCheck: true, module: 'nodenext', moduleResolution: 'nodenext', target: 'es2022',
      types: ['node'], typeRoots: [path.join(root, 'node_modules/@types')], noUnusedLocals: true },
    files: specs.map(name => path.join(folder, name)),
  }));
  try {
    await promisify(execFile)(path.join(root, 'node_modules/.bin/tsc'), ['-p', config], { cwd: root });
  } catch (error) {
    assert.fail(error.stdout || error.message);
  } finally {
    fs.rmSync(path.dirname(config), { recursive: true });
  }
});

test('every literal is the string that was recorded', async () => {
  const names = JSON.parse(fs.readFileSync(path.join(root, 'tests/cases/b11-code-quoting/names.json'), 'utf8'));
  const source = fs.readFileSync(path.join(folder, 'quoting.spec.ts'), 'utf8');
  const { code } = await esbuild.transform(source, { loader: 'ts', format: 'cjs' });
  const filled = [], expected = [], titles = [], tests = [];
  // Not a promise, so that awaiting one ends.
  const methods = { fill: async value => void filled.push(value), then: undefined };
  const locator = new Proxy({}, { get: (_, method) => method in methods ? methods[method] : () => locator });
  const step = async (title, work) => { titles.push(title); await work(); };
  const declare = Object.assign((title, ...rest) => tests.push([title, rest.at(-1)]), { use() {}, step });
  const expect = () => ({ toHaveValue: async value => void expected.push(value) });
  new Function('require', 'process', code)(() => ({ test: declare, expect }), { exit: () => assert.fail('a name was run as code'), env: {} });
  assert.equal(tests.length, 1);
  assert.equal(tests[0][0], '*/ // ${name} `x` </script>');
  await tests[0][1]({ page: locator });
  assert.deepEqual(filled, names);
  assert.deepEqual(expected, names);
  assert.deepEqual(titles, names);
});
