// Drives the recorder bundle alone: playwright-core only opens pages; scripts and the binding go over CDP as the program
// does it. `rebuild` plays the recorded events with rrweb's own Replayer, an independent reader of the format.

import {createServer} from 'node:http';
import {readFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {createRequire} from 'node:module';

import {buildSync} from 'esbuild';
import {chromium} from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const require = createRequire(import.meta.url);

/** Bundles straight from the sources, so that the test needs no C++ build. */
function bundle(entry) {
  const options = {entryPoints: [join(root, entry)], bundle: true, write: false, format: 'iife', target: 'chrome120'};
  return buildSync(options).outputFiles[0].text;
}
const recorder = bundle('capture/page/recorder/main.ts');
const hooks = bundle('capture/page/hooks/hooks.ts');
const page_bundle = bundle('capture/page/page.ts');
const replayer = readFileSync(join(dirname(require.resolve('rrweb')), 'rrweb.umd.cjs'), 'utf8');

export async function launch() {
  return chromium.launch({
    executablePath: process.env.BROWX_CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
}

/** Serves `pages` (path → HTML or {type, body}) on a free loopback port. */
export async function serve(pages) {
  const server = createServer((request, response) => {
    const found = pages[request.url.split('?')[0]];
    if (found === undefined) return response.writeHead(404).end();
    const page = typeof found === 'string' ? {type: 'text/html; charset=utf-8', body: found} : found;
    response.writeHead(200, {'content-type': page.type, ...page.headers}).end(page.body);
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return {url: `http://127.0.0.1:${server.address().port}`, close: () => server.close()};
}

export class Recorded {
  /** Streams by document, in order of first message: {events:[{t, event}], gaps, fields, assets}. */
  streams = new Map();

  static async open(browser, {maskSelectors = [], redactUrls = true, install = true} = {}) {
    const recorded = new Recorded();
    recorded.context = await browser.newContext();
    recorded.page = await recorded.context.newPage();
    recorded.cdp = await recorded.context.newCDPSession(recorded.page);
    recorded.config = {event: `t${Math.random().toString(36).slice(2)}`, maskSelectors, redactUrls};
    recorded.cdp.on('Runtime.bindingCalled', (event) => recorded.take(event));
    recorded.contexts = [];
    recorded.cdp.on('Runtime.executionContextCreated', ({context}) => recorded.contexts.push(context));
    recorded.cdp.on('Runtime.executionContextDestroyed', ({executionContextId}) => {
      recorded.contexts = recorded.contexts.filter((context) => context.id !== executionContextId);
    });
    recorded.cdp.on('Runtime.executionContextsCleared', () => (recorded.contexts = []));
    await recorded.cdp.send('Runtime.enable');
    await recorded.cdp.send('Page.enable');
    await recorded.cdp.send('Runtime.addBinding', {name: '__browxRecord', executionContextName: 'browx'});
    if (install) await recorded.install();
    return recorded;
  }

  async install() {
    const {cdp, config} = this;
    const add = (source, worldName) =>
      cdp.send('Page.addScriptToEvaluateOnNewDocument', {source, ...(worldName ? {worldName} : {}), runImmediately: true});
    await add(hooks.replaceAll('__BROWX_HOOKS_EVENT__', JSON.stringify(config.event)));
    await add(page_bundle, 'browx');
    await add(recorder.replaceAll('__BROWX_RECORD_CONFIG__', JSON.stringify(config)), 'browx');
  }

  take({payload}) {
    const [head, ...lines] = payload.split('\n');
    const header = JSON.parse(head);
    if (!this.streams.has(header.doc)) this.streams.set(header.doc, {events: [], gaps: [], fields: [], assets: [], raw: []});
    const stream = this.streams.get(header.doc);
    stream.raw.push(payload);
    if (lines.length && header.first !== stream.events.length) {
      throw new Error(`events lost: ${header.first} after ${stream.events.length}`);
    }
    for (const line of lines) {
      const space = line.indexOf(' ');
      stream.events.push({t: Number(line.slice(0, space)), event: JSON.parse(line.slice(space + 1))});
    }
    for (const waiter of this.waiters) waiter(payload);
    if (header.gaps) stream.gaps.push(...header.gaps);
    if (header.fields) stream.fields.push(header.fields);
    if (header.asset) stream.assets.push(header.asset);
  }

  waiters = [];

  /** Resolves when a message comes that `wanted` accepts. */
  arrival(wanted) {
    return new Promise((done) => this.waiters.push((payload) => wanted(payload) && done()));
  }

  /** Calls a recorder function in the isolated world of the main frame (or of the frame with that id). */
  async call(name, argument = {}, frame_id = undefined) {
    const tree = await this.cdp.send('Page.getFrameTree');
    const id = frame_id ?? tree.frameTree.frame.id;
    const context = this.contexts.find((c) => c.name === 'browx' && c.auxData.frameId === id);
    if (!context) throw new Error(`no browx world in frame ${id}`);
    const expression = `Promise.resolve(__browxRecorder.functions[${JSON.stringify(name)}](${JSON.stringify(argument)}))`;
    const answer = await this.cdp.send('Runtime.evaluate', {
      contextId: context.id,
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description);
    return answer.result.value;
  }

  /** Flushes the main frame's recorder and answers its stream. */
  async flushed() {
    return this.flushed_frame(undefined);
  }

  async flushed_frame(frame_id) {
    const {doc, count} = await this.call('recorderFlush', {}, frame_id);
    const stream = this.streams.get(doc);
    if (stream.events.length !== count) throw new Error(`${stream.events.length} events of ${count}`);
    return stream;
  }

  async close() {
    await this.context.close();
  }
}

/**
 * Plays `events` in a fresh page and answers what `look` (evaluated with the replayed document) sees at the end, or
 * after the first `count` events.
 */
export async function rebuild(browser, events, look, argument) {
  const page = await browser.newPage();
  try {
    await page.setContent('<!doctype html><body></body>');
    await page.evaluate(`(() => { const module = undefined, exports = undefined, define = undefined; ${replayer}; window.rrweb ??= self.rrweb; })()`);
    await page.evaluate(
      async ({list}) => {
        const events = list.map((event, i) => ({...event, timestamp: 1000 + i}));
        // A replayer wants two events at least.
        events.push({type: 5, timestamp: 1000 + events.length, data: {tag: 'end', payload: null}});
        window.player = new rrweb.Replayer(events, {UNSAFE_replayCanvas: false, showWarning: false, mouseTail: false, useVirtualDom: false});
        await new Promise((done) => setTimeout(done, 50)); // the replayer builds its first snapshot in a timer
        player.pause(events.length + 10);
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      },
      {list: events},
    );
    return await page.evaluate(`((document, argument) => (${look})(document, argument))(player.iframe.contentDocument, ${JSON.stringify(argument ?? null)})`);
  } finally {
    await page.close();
  }
}
