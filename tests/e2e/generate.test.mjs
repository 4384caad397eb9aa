// From a recording to a test that Playwright runs: it passes on the site it was recorded on, ten times in a row with any
// BROWX_E2E_REPEAT, and fails for the right reason when the site is another one.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { execFile } from 'node:child_process';
import http from 'node:http';

import { cli, Server, temporaryFolder } from '../support/browx.mjs';
import { startSite } from '../support/serve.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const password = 'correct horse battery staple';
const chromium = process.env.BROWX_CHROMIUM ?? '/usr/bin/chromium';
let site, server, archive, ended, spec, yaml, exported, folder;

/// A site in front of the site, which changes what pages say.
async function changed(edit) {
  const proxy = http.createServer((request, response) => {
    const upstream = http.request(site.origins.a + request.url, { method: request.method, headers: { ...request.headers, host: new URL(site.origins.a).host } }, answer => {
      const chunks = [];
      answer.on('data', chunk => chunks.push(chunk)).on('end', () => {
        const { 'content-length': _, ...headers } = answer.headers, body = Buffer.concat(chunks);
        response.writeHead(answer.statusCode, headers);
        response.end(/html/.test(headers['content-type'] ?? '') ? edit(body.toString('utf8')) : body);
      });
    });
    request.pipe(upstream);
  });
  await new Promise(resolve => proxy.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${proxy.address().port}`, close: () => new Promise(resolve => { proxy.closeAllConnections(); proxy.close(resolve); }) };
}

/// Runs a spec with Playwright: {code, output}.
function playwright(source, baseURL, { env = {}, repeat = 1 } = {}) {
  const at = fs.mkdtempSync(path.join(folder, 'run-'));
  fs.writeFileSync(path.join(at, 'recorded.spec.ts'), source);
  fs.writeFileSync(path.join(at, 'playwright.config.ts'), `export default ${JSON.stringify({
    testDir: '.', timeout: 60_000, workers: 1, retries: 0, reporter: 'line', repeatEach: repeat, expect: { timeout: 5000 },
    use: { baseURL, launchOptions: { executablePath: chromium, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] } },
  })};`);
  return new Promise(resolve => {
    execFile(process.execPath, [path.join(root, 'node_modules/@playwright/test/cli.js'), 'test', '-c', at],
      { cwd: at, env: { ...process.env, PASSWORD: password, BROWX_TEXTBOX_ONE_TIME_CODE: '123456', FORCE_COLOR: '0', CI: '1', NODE_OPTIONS: '', ...env }, maxBuffer: 32 << 20 },
      (error, stdout, stderr) => resolve({ code: error ? error.code ?? 1 : 0, output: stdout + stderr }));
  });
}

before(async () => {
  // Below the repository, so that @playwright/test is found from there.
  fs.mkdirSync(path.join(root, 'build'), { recursive: true });
  folder = fs.mkdtempSync(path.join(root, 'build/generate-test-'));
  site = await startSite();
  server = await Server.start();
  const ok = (tool, args) => server.ok(tool, args);
  const within = async (label, copy, work) => {
    await ok('record_annotate', { label, phase: 'start', copy });
    await work();
    await ok('record_annotate', { label, phase: 'end' });
  };
  await ok('open_session', { session: 'default', viewport: { width: 1280, height: 720 }, dialogPolicy: { mode: 'accept' }, locale: 'en-GB', timezone: 'Europe/Oslo' });
  await ok('register_secret', { name: 'PASSWORD', value: password });
  await ok('start_recording', { flowName: "Ada's round", replay: { tier: 'replay' } });
  await within('AC-1', 'A known user can sign in', async () => {
    await ok('navigate', { url: site.url('/pages/form.html') });
    await ok('fill', { selector: 'role=textbox[name="Name"]', value: 'Ada Lovelace' });
    await ok('fill', { selector: 'role=textbox[name="Password"]', value: '<PASSWORD>' });
    await ok('fill', { selector: 'role=textbox[name="One-time code"]', value: '123456' });
    await ok('fill', { selector: 'role=textbox[name="Note"]', value: 'It\'s "quoted" `here` ${now}\nsecond line' });
    await ok('select', { selector: 'role=combobox[name="City"]', values: ['Oslo'] });
    await ok('click', { selector: 'role=checkbox[name="I accept the terms"]' });
    await ok('click', { selector: 'role=radio[name="Full"]' });
    await ok('click', { selector: 'role=button[name="Sign in"]' });
    await ok('verify_text', { selector: 'role=status', text: 'welcome, ada lovelace' });
    await ok('verify_value', { selector: 'role=textbox[name="Name"]', value: 'Ada Lovelace' });
    await ok('verify_value', { selector: 'role=combobox[name="City"]', value: 'Oslo' });
    await ok('verify_value', { selector: 'role=checkbox[name="I accept the terms"]', value: 'true' });
  });
  await within('AC-2', 'Buttons work in frames of this and of another site', async () => {
    await ok('navigate', { url: site.url('/pages/frames.html') });
    for (const name of ['same', 'cross', 'far-nested-near']) await ok('click', { ref: await server.ref('button', `Press ${name}`) });
    await ok('verify_text', { selector: '#log', text: 'same:true cross:true far-nested-near:true' });
  });
  await within('AC-3', 'An invoice can be approved', async () => {
    await ok('navigate', { url: site.url('/pages/table.html?rows=8') });
    await ok('click', { selector: 'tr:has-text("Invoice 7") >> role=button[name="Approve"]' });
    await ok('verify_text', { selector: 'role=status', text: 'Invoice 7 approved', exact: true });
    await ok('verify_count', { selector: 'tbody tr', n: 8 });
  });
  await ok('navigate', { url: site.url('/pages/dialogs.html') });
  await ok('click', { selector: 'role=button[name="Two in a row"]' });
  await ok('click', { selector: 'role=button[name="Prompt"]' });
  await ok('verify_text', { selector: '#log', text: 'prompt=Bob' });
  await ok('navigate', { url: site.url('/pages/popup.html') });
  await ok('click', { selector: 'role=button[name="Open window"]' });
  await ok('click', { tab: 2, selector: 'role=button' });
  await ok('verify_text', { tab: 2, selector: 'role=status', text: 'pressed popup' });
  await ok('navigate', { tab: 1, url: site.url('/pages/downloads.html') });
  await ok('click', { selector: 'role=link[name="Report"]' });
  await ok('press', { key: 'Tab' });
  await ok('scroll', { to: 'bottom' });
  exported = await server.call('export_playwright_script', {});
  ended = await ok('end_recording', {});
  archive = ended.replay.absolutePath;
  const made = await cli(['generate', archive]), flow = await cli(['generate', archive, '--target', 'yaml']);
  assert.equal(made.code, 0, made.stderr);
  spec = made.stdout;
  yaml = flow.stdout;
}, { timeout: 240_000 });

after(async () => {
  await server?.close();
  await site?.close();
  if (folder) fs.rmSync(folder, { recursive: true, force: true });
});

test('end_recording, the artifact and browx generate write the same flow', () => {
  assert.equal(ended.yaml, yaml);
});

test('the test that is exported is the one that is generated', async () => {
  assert.equal(exported.ok, true, JSON.stringify(exported));
  assert.equal(exported.source, spec);
  assert.deepEqual(exported.stats.unhandled, []);
  assert.deepEqual(exported.stats.fragile, []);
  assert.equal(exported.stats.handled, exported.stats.steps);
  const later = await server.ok('export_playwright_script', { path: 'tests/round.spec.ts' });
  assert.equal(later.source, spec);
  assert.equal(later.path, 'tests/round.spec.ts');
  assert.equal(fs.readFileSync(path.join(server.workspace, later.path), 'utf8'), spec);
  assert.equal(later.bytes, Buffer.byteLength(spec));
  assert.equal((await server.call('export_playwright_script', { path: '../out.spec.ts' })).code, 'workspace-escape');
  assert.equal((await server.call('export_playwright_script', { session: 'nobody' })).code, 'no-recording');
});

test('it has paths, roles and criteria, and no secret', () => {
  assert.ok(!spec.includes(password) && !spec.includes('123456'), spec);
  assert.match(spec, /\.fill\(process\.env\.PASSWORD!\)/);
  assert.match(spec, /goto\('\/pages\/table\.html\?rows=8'\)/);
  assert.doesNotMatch(spec.replace(/^\/\/.*$/gm, ''), /127\.0\.0\.1|localhost/);
  assert.doesNotMatch(spec, /\.nth\(|fragile|Not written/);
  assert.equal(spec.match(/test\.step\(/g).length, 3);
  assert.match(spec, /locale: 'en-GB',? *\n? *timezoneId: 'Europe\/Oslo'/);
});

test('Playwright runs it unedited, again and again', { timeout: 600_000 }, async () => {
  const { code, output } = await playwright(spec, site.origins.a, { repeat: Number(process.env.BROWX_E2E_REPEAT ?? 3) });
  assert.equal(code, 0, `${output}\n${spec}`);
});

test('it names a value that it lacks', { timeout: 120_000 }, async () => {
  const { code, output } = await playwright(spec, site.origins.a, { env: { PASSWORD: '' } });
  assert.notEqual(code, 0);
  assert.match(output, /PASSWORD/);
});

const mutants = {
  'a wrong greeting': [html => html.replace('`Welcome, ${told.user}`', '`Good day, ${told.user}`'), /welcome, ada lovelace/],
  'a button that does nothing': [html => html.replace('`Invoice ${i} approved`', "''"), /Invoice 7 approved/],
  'a row too few': [html => html.replace("new URLSearchParams(location.search).get('rows') ?? 12", '7'), /toHaveCount|Expected: 8/],
  'a question that is not asked': [html => html.replace("confirm('First?')", 'true').replace("confirm('Second?')", 'true'), /dialog/],
};
for (const [name, [edit, sign]] of Object.entries(mutants)) {
  test(`it fails on a site with ${name}`, { timeout: 180_000 }, async () => {
    const other = await changed(edit);
    try {
      const { code, output } = await playwright(spec.replace('async ({ page }) => {', 'async ({ page }) => {\n  test.setTimeout(20_000);'), other.url);
      assert.notEqual(code, 0, 'it passed');
      assert.match(output, sign);
    } finally {
      await other.close();
    }
  });
}

test('a recording without the replay capability gives the same kind of test', { timeout: 120_000 }, async () => {
  const plain = await Server.start({ workspace: temporaryFolder(), capabilities: 'read,navigation,action,human' });
  try {
    await plain.ok('start_recording', { flowName: 'in memory' });
    await plain.ok('navigate', { url: site.url('/pages/table.html?rows=3') });
    await plain.ok('click', { selector: 'tr:has-text("Invoice 2") >> role=button[name="Approve"]' });
    const running = await plain.ok('export_playwright_script', {});
    assert.equal(running.stats.steps, 2);
    await plain.ok('verify_text', { selector: 'role=status', text: 'Invoice 2 approved' });
    const end = await plain.ok('end_recording', {});
    assert.match(end.yaml, /assert: "text"/);
    const last = await plain.ok('export_playwright_script', {});
    assert.equal(last.stats.steps, 3);
    const { code, output } = await playwright(last.source, site.origins.a);
    assert.equal(code, 0, output);
  } finally {
    await plain.close();
  }
});

test('the locator of an element can be pasted into a test', { timeout: 120_000 }, async () => {
  await server.ok('navigate', { url: site.url('/pages/frames.html') });
  const ref = await server.ref('button', 'Press far-nested-near');
  const located = await server.ok('generate_locator', { ref });
  assert.match(located.playwright, /^page\..*contentFrame\(\).*contentFrame\(\)\.getByRole\('button', \{ name: 'Press far-nested-near' \}\)$/);
  assert.equal(located.stability, 'medium');
  assert.deepEqual(located.components.at(-1), { kind: 'role', value: 'button', name: 'Press far-nested-near' });
  await server.ok('navigate', { url: site.url('/pages/form.html') });
  const own = await server.ok('generate_locator', { ref: await server.ref('textbox', 'Name') });
  assert.deepEqual({ ...own, tokensEstimate: 0, ok: true }, { ok: true, playwright: "page.getByTestId('user')", stability: 'high', components: [{ kind: 'testid', value: 'user', attribute: 'data-testid' }], tokensEstimate: 0 });
  const gone = await server.call('generate_locator', { ref });
  assert.equal(gone.code, 'ref-gone');
  const none = await server.call('generate_locator', { ref: 'e999999' });
  assert.equal(none.code, 'ref-not-found');
  assert.equal(none.failure.ref, 'e999999');
});
