// Drives a real Chromium with the built page.js in an isolated world, as capture does it.
//
// BROWX_PAGE_JS: the bundle (default: build/dev/capture/page/page.js); BROWX_CHROMIUM: the browser.

import assert from 'node:assert/strict';
import {createServer} from 'node:http';
import {readFileSync} from 'node:fs';
import {dirname, join, normalize} from 'node:path';
import {fileURLToPath} from 'node:url';
import {chromium} from 'playwright-core';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const bundlePath = process.env.BROWX_PAGE_JS ?? join(root, 'build/dev/capture/page/page.js');
const types = {html: 'text/html; charset=utf-8', json: 'application/json', js: 'text/javascript', css: 'text/css'};

/** Serves tests/cases and tests/page/pages on a loopback port; /echo answers with the HTML in ?html=. */
export async function serve() {
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    if (url.pathname === '/inline') {
      response.writeHead(200, {'content-type': types.html});
      response.end(url.searchParams.get('html'));
      return;
    }
    const path = normalize(decodeURIComponent(url.pathname));
    for (const folder of ['tests/cases', 'tests/page/pages']) {
      try {
        const body = readFileSync(join(root, folder, path));
        response.writeHead(200, {'content-type': types[path.split('.').pop()] ?? 'application/octet-stream'});
        response.end(body);
        return;
      } catch {
        // not in this folder
      }
    }
    response.writeHead(404);
    response.end();
  });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  return {origin: `http://127.0.0.1:${server.address().port}`, close: () => new Promise(done => server.close(done))};
}

export async function launch() {
  return chromium.launch({
    executablePath: process.env.BROWX_CHROMIUM ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

/** A page with the bundle in its isolated world. */
export class Subject {
  static async open(browser, url, {viewport = {width: 1280, height: 720}} = {}) {
    const context = await browser.newContext({viewport});
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    const subject = new Subject();
    Object.assign(subject, {context, page, cdp, worlds: new Map()});
    cdp.on('Runtime.executionContextCreated', ({context: world}) => {
      if (world.name === 'browx') subject.worlds.set(world.auxData.frameId, world.id);
    });
    await cdp.send('Page.enable');
    await cdp.send('Runtime.enable');
    for (const path of [join(dirname(bundlePath), 'first.js'), bundlePath])
      await cdp.send('Page.addScriptToEvaluateOnNewDocument', {source: readFileSync(path, 'utf8'), worldName: 'browx'});
    if (url) await page.goto(url);
    return subject;
  }

  static async html(browser, html, options) {
    const subject = await Subject.open(browser, undefined, options);
    await subject.page.route('http://page.test/', route => route.fulfill({contentType: types.html, body: html}));
    await subject.page.goto('http://page.test/');
    return subject;
  }

  async world() {
    const {frameTree} = await this.cdp.send('Page.getFrameTree');
    return this.worlds.get(frameTree.frame.id);
  }

  /** Calls a page function; throws on {"error"} unless `raw`. */
  async call(name, argument = {}, {raw = false} = {}) {
    const {result, exceptionDetails} = await this.cdp.send('Runtime.callFunctionOn', {
      executionContextId: await this.world(),
      functionDeclaration: 'function(name, argument) { return globalThis.__browx.call(name, argument) }',
      arguments: [{value: name}, {value: JSON.stringify(argument)}],
      awaitPromise: true, returnByValue: true,
    });
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
    const answer = JSON.parse(result.value);
    if (!raw && answer?.error) throw new Error(`${name}: ${answer.error.kind}: ${answer.error.message}`);
    return answer;
  }

  /** The bundle's id of the one element that a CSS selector of the page finds. */
  async id(css) {
    const {ids} = await this.call('query', {selector: css});
    assert.equal(ids.length, 1, `${css} matches ${ids.length}`);
    return ids[0];
  }

  /** An element of the page's document in the bundle's world, by expression; answers its element id. */
  async idOf(expression) {
    const {result} = await this.cdp.send('Runtime.evaluate',
                                         {expression, contextId: await this.world()});
    const answer = await this.cdp.send('Runtime.callFunctionOn', {
      objectId: result.objectId, functionDeclaration: 'function() { return globalThis.__browx.idOf(this) }',
      returnByValue: true});
    return answer.result.value;
  }

  async evaluate(expression) {
    return this.page.evaluate(expression);
  }

  /** Trusted mouse click at a point of the main viewport. */
  async clickAt({x, y}) {
    await this.cdp.send('Input.dispatchMouseEvent', {type: 'mouseMoved', x, y});
    for (const type of ['mousePressed', 'mouseReleased'])
      await this.cdp.send('Input.dispatchMouseEvent', {type, x, y, button: 'left', clickCount: 1});
  }

  async insertText(text) {
    await this.cdp.send('Input.insertText', {text});
  }

  async close() {
    await this.context.close();
  }
}

/** Snapshot rows as lines, as capture prints them. */
export function treeOf(rows) {
  return rows.map(([depth, role, name, id, states]) =>
    `${'  '.repeat(depth)}${role}${name ? ` ${JSON.stringify(name)}` : ''}${states.map(s => ` [${s}]`).join('')}` +
    (id ? '' : '')).join('\n');
}
