// The recorder bundle in a real Chromium, without the program around it.

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {Recorded, launch, rebuild, serve} from './browser.mjs';

const cases = join(dirname(fileURLToPath(import.meta.url)), '../cases');
const case_page = (name) => readFileSync(join(cases, name, 'index.html'), 'utf8');

let browser;
before(async () => (browser = await launch()));
after(async () => browser.close());

/** A document's tree as text: tags, attributes, text and open shadow roots, without what a recorder may leave out. */
const tree_of = `(document) => {
  const skip = new Set(['SCRIPT', 'NOSCRIPT', 'STYLE', 'LINK', 'META', 'TITLE']);
  const show = (node, depth) => {
    const pad = '  '.repeat(depth);
    if (node.nodeType === 3) return node.data.trim() ? [pad + JSON.stringify(node.data.trim())] : [];
    if (node.nodeType !== 1 || skip.has(node.nodeName)) return [];
    const attributes = [...node.attributes]
      .filter((a) => !a.name.startsWith('on') && !['class', 'style', 'value', 'selected', 'checked', 'autocomplete'].includes(a.name) && !a.name.startsWith('rr_'))
      .map((a) => a.name + '=' + a.value).sort().join(' ');
    const state = 'value' in node && node.nodeName !== 'LI' ? ' value=' + node.value + ' checked=' + !!node.checked : '';
    const lines = [pad + node.nodeName + ' ' + attributes + state];
    if (node.shadowRoot) { lines.push(pad + ' #shadow'); for (const child of node.shadowRoot.childNodes) lines.push(...show(child, depth + 1)); }
    if (node.nodeName !== 'TEXTAREA') for (const child of node.childNodes) lines.push(...show(child, depth + 1));
    return lines;
  };
  return show(document.body, 0).join('\\n');
}`;
const live_tree = (page) => page.evaluate(`(${tree_of})(document)`);
const plain = (stream) => stream.events.map((one) => one.event);
const text_of = (stream) => stream.raw.join('\n');
/** What was sent for the archive: everything but the header that stays in memory. */
const stored = (stream) => JSON.stringify([plain(stream), stream.gaps, stream.assets]);

async function recorded_page(html, options = {}, pages = {}) {
  const site = await serve({'/': html, ...pages});
  const recorded = await Recorded.open(browser, options);
  await recorded.page.goto(site.url);
  return {
    recorded,
    page: recorded.page,
    url: site.url,
    async close() {
      await recorded.close();
      site.close();
    },
  };
}

test('the replayed document equals the live one, with shadow roots from the parser, early and late', async () => {
  const run = await recorded_page(`<!doctype html><title>t</title><body>
    <x-declared><template shadowrootmode="open"><p>declared</p></template></x-declared>
    <x-early></x-early><div id="late">light</div><ul id="list"></ul>
    <script>
      customElements.define('x-early', class extends HTMLElement {
        constructor() { super(); this.attachShadow({mode: 'open'}).innerHTML = '<p>early <slot></slot></p>'; }
      });
      window.grow = () => {
        const root = document.getElementById('late').attachShadow({mode: 'open'});
        root.innerHTML = '<b>late</b><span id=inner></span>';
        const nested = root.getElementById('inner').attachShadow({mode: 'open'});
        nested.innerHTML = '<i>nested</i>';
        for (let i = 0; i < 50; ++i) { const li = document.createElement('li'); li.textContent = 'row ' + i; list.append(li); }
        list.firstChild.remove(); list.append(list.firstChild); list.children[3].textContent = 'changed 👍';
        setTimeout(() => { nested.querySelector('i').textContent = 'nested later'; nested.append(document.createElement('hr')); });
      };
    </script>`);
  try {
    await run.page.evaluate(() => new Promise((done) => (grow(), setTimeout(done, 20))));
    const stream = await run.recorded.flushed();
    const live = await live_tree(run.page);
    assert.match(live, /nested later/);
    assert.match(live, /declared/);
    assert.equal(await rebuild(browser, plain(stream), tree_of), live);
  } finally {
    await run.close();
  }
});

test('a document is recorded from its first node on, and every event has a time of today that rises', async () => {
  const run = await recorded_page('<!doctype html><title>t</title><p>one</p><script>document.body.append("two")</script>');
  try {
    const stream = await run.recorded.flushed();
    assert.equal(stream.events[0].event.type, 4);
    assert.equal(stream.events[1].event.type, 2);
    assert.ok(!JSON.stringify(stream.events[1].event).includes('two'), 'the first snapshot comes before the script');
    const today = Date.now();
    for (let i = 0; i < stream.events.length; ++i) {
      assert.ok(Math.abs(stream.events[i].event.timestamp - today) < 60_000);
      if (i) assert.ok(stream.events[i].t >= stream.events[i - 1].t);
    }
    assert.equal(await rebuild(browser, plain(stream), tree_of), await live_tree(run.page));
  } finally {
    await run.close();
  }
});

const colours = `(document) => {
  const colour = (element) => element.ownerDocument.defaultView.getComputedStyle(element).color;
  const out = {};
  for (const name of 'abcdef') out[name] = colour(document.querySelector('.' + name));
  out.shadow = colour(document.querySelector('x-box').shadowRoot.querySelector('p'));
  return out;
}`;

for (const when of ['before navigation', 'on a page that stands']) {
  test(`styles by script are in the stream at each moment, recording begun ${when} (b12)`, async () => {
    const expected = JSON.parse(readFileSync(join(cases, 'b12-styles-in-replay/expected.json'), 'utf8'));
    const run = await recorded_page(case_page('b12-styles-in-replay'), {install: when === 'before navigation'});
    try {
      if (when !== 'before navigation') await run.recorded.install();
      const streams = [];
      for (let clicks = 0; clicks <= 2; ++clicks) {
        if (clicks) await run.page.evaluate(() => document.getElementById('next').click());
        assert.deepEqual(await run.page.evaluate(`(${colours})(document)`), expected[clicks], 'the live page');
        streams.push(plain(await run.recorded.flushed()).slice());
      }
      for (const clicks of [0, 1, 2, 1, 0]) {
        assert.deepEqual(await rebuild(browser, streams[clicks], colours), expected[clicks], `after ${clicks} clicks`);
      }
    } finally {
      await run.close();
    }
  });
}

test('rules written without a call, nested rules, replace() and links switched off are followed', async () => {
  const run = await recorded_page(
    `<!doctype html><title>t</title><link rel=stylesheet href=/a.css><style id=s>.b{color:rgb(1,0,0)} @media all{.c{color:rgb(2,0,0)}}</style>
     <p class=a>a<p class=b>b<p class=c>c<p class=d>d
     <script>window.sheet = new CSSStyleSheet(); document.adoptedStyleSheets = [sheet]; window.held = s.sheet.cssRules[0].style;</script>`,
    {},
    {'/a.css': {type: 'text/css', body: '.a{color:rgb(3,0,0)}'}},
  );
  const look = `(document) => ['a', 'b', 'c', 'd'].map((name) => document.defaultView.getComputedStyle(document.querySelector('.' + name)).color)`;
  const same = async (wanted) => {
    assert.deepEqual(await run.page.evaluate(`(${look})(document)`), wanted, 'the live page');
    const stream = await run.recorded.flushed();
    assert.deepEqual(await rebuild(browser, plain(stream), look), wanted);
  };
  const rgb = (n) => `rgb(${n}, 0, 0)`;
  try {
    await same([rgb(3), rgb(1), rgb(2), rgb(0)]);
    await run.page.evaluate(() => {
      held.color = 'rgb(11,0,0)';
      s.sheet.cssRules[1].cssRules[0].style.setProperty('color', 'rgb(12,0,0)');
    });
    await same([rgb(3), rgb(11), rgb(12), rgb(0)]);
    await run.page.evaluate(async () => {
      document.querySelector('link').disabled = true;
      s.sheet.cssRules[1].insertRule('.c{color:rgb(13,0,0)!important}', 1);
      await sheet.replace('.d{color:rgb(14,0,0)}');
    });
    await run.page.waitForTimeout(60); // replace() has no event: the recorder looks again after 20 ms
    await same([rgb(0), rgb(11), rgb(13), rgb(14)]);
    await run.page.evaluate(() => (s.textContent = '.b{color:rgb(21,0,0)}'));
    await same([rgb(0), rgb(21), rgb(0), rgb(14)]);
    await run.page.evaluate(() => s.sheet.insertRule('.c{color:rgb(22,0,0)}', 1));
    await same([rgb(0), rgb(21), rgb(22), rgb(14)]);
  } finally {
    await run.close();
  }
});

test('a page that replaces the language is recorded and notices nothing (b13)', async () => {
  const run = await recorded_page(case_page('b13-hostile-globals'));
  try {
    const moments = [];
    await run.page.locator('#item').fill('x');
    for (let i = 0; i < 2; ++i) {
      await run.page.locator('#add').click();
      moments.push(plain(await run.recorded.flushed()).slice());
    }
    const rows = `(document) => Array.from(document.querySelectorAll('#rows li'), (li) => li.textContent)`;
    assert.deepEqual(await rebuild(browser, moments[0], rows), ['Row 1 x']);
    assert.deepEqual(await rebuild(browser, moments[1], rows), ['Row 1 x', 'Row 2 x']);
    const {events} = await run.recorded.flushed();
    for (const {event} of events) assert.ok(Math.abs(event.timestamp - Date.now()) < 60_000);
    assert.ok(!JSON.stringify(events).includes('everywhere'), 'no inherited key');
    // Playwright's own scripts run in a world of their own here: what is left is ours, read over bare CDP.
    const seen = await run.recorded.cdp.send('Runtime.evaluate', {
      expression: `Object.keys(window.touched).join() + '|' + document.getElementById('out').textContent + '|' +
        Object.getOwnPropertyNames(window).filter((name) => /browx|rrweb/i.test(name)).join() + '|' + document.documentElement.outerHTML.includes('rr-')`,
    });
    assert.equal(seen.result.value, '|trusted||false');
  } finally {
    await run.close();
  }
});

test('the page sees no node, attribute or event of the recorder', async () => {
  const run = await recorded_page(`<!doctype html><title>t</title><body><input id=f type=password><script>
    window.seen = [];
    new MutationObserver((records) => { for (const r of records) seen.push(r.type + ' ' + r.target.nodeName + ' ' + [...r.addedNodes].map((n) => n.nodeName)); })
      .observe(document, {childList: true, attributes: true, characterData: true, subtree: true});
    addEventListener('load', () => setTimeout(() => { seen.length = 0; window.ready = true; }));
    window.act = () => { f.type = 'text'; document.body.append(document.createElement('b')); f.attachShadow; };
    </script>`);
  try {
    await run.page.waitForFunction(() => window.ready);
    await run.page.evaluate(() => act());
    await run.recorded.flushed();
    assert.deepEqual(await run.page.evaluate(() => seen), ['attributes INPUT ', 'childList BODY B']);
  } finally {
    await run.close();
  }
});

test('values set by scripts and choices are followed without an event', async () => {
  const run = await recorded_page(`<!doctype html><title>t</title><body><input id=a><input type=checkbox id=b><textarea id=c>x</textarea>
    <select id=d><option>1<option>2</select><input type=radio name=r id=r1 value=1><input type=radio name=r id=r2 value=2>`);
  try {
    await run.page.evaluate(() => {
      a.value = 'set';
      b.checked = true;
      c.value = 'text';
      d.selectedIndex = 1;
      r2.checked = true;
    });
    const stream = await run.recorded.flushed();
    assert.equal(await rebuild(browser, plain(stream), tree_of), await live_tree(run.page));
    assert.match(await live_tree(run.page), /value=set/);
    await run.page.evaluate(() => (a.value = 'unseen by any flush'));
    await run.recorded.arrival((text) => text.includes('unseen by any flush'));
  } finally {
    await run.close();
  }
});

test('a flush tells the scroll position of that moment', async () => {
  const run = await recorded_page('<!doctype html><title>t</title><body style="height:5000px"><div id=box style="height:50px;overflow:auto"><div style="height:900px">');
  try {
    await run.page.evaluate(() => new Promise((done) => {
      scrollTo(0, 700);
      box.scrollTop = 123;
      requestAnimationFrame(() => requestAnimationFrame(done));
    }));
    const stream = await run.recorded.flushed();
    const scrolls = plain(stream).filter((event) => event.type === 3 && event.data.source === 3).map((event) => event.data.y);
    assert.deepEqual(scrolls.sort(), [123, 700]);
  } finally {
    await run.close();
  }
});

test('each frame is recorded by itself and appears in its parent as an empty box', async () => {
  const run = await recorded_page(
    '<!doctype html><title>t</title><body><iframe src=/child></iframe><iframe srcdoc="<p>inside srcdoc</p>"></iframe>',
    {},
    {'/child': '<!doctype html><title>c</title><p>inside child</p>'},
  );
  try {
    await run.page.waitForFunction(() => frames.length === 2 && [...document.querySelectorAll('iframe')].every((f) => f.contentDocument.readyState === 'complete'));
    const tree = await run.recorded.cdp.send('Page.getFrameTree');
    const ids = [tree.frameTree.frame.id, ...tree.frameTree.childFrames.map((child) => child.frame.id)];
    const streams = [];
    for (const id of ids) streams.push(await run.recorded.flushed_frame(id));
    assert.ok(!stored(streams[0]).includes('inside'));
    assert.match(stored(streams[1]), /inside child/);
    assert.match(stored(streams[2]), /inside srcdoc/);
  } finally {
    await run.close();
  }
});

test('what happens until the next document commits arrives', async () => {
  const run = await recorded_page(
    `<!doctype html><title>t</title><p id=p>start</p><p id=q></p><script>
    addEventListener('beforeunload', () => (q.textContent = 'asked'));
    window.leave = () => { p.textContent = 'clicked'; location = '/next'; Promise.resolve().then(() => p.append(' and after')); }</script>`,
    {},
    {'/next': '<!doctype html><title>n</title><p>next'},
  );
  try {
    const first = await run.recorded.flushed();
    await run.page.evaluate(() => leave());
    await run.page.waitForURL('**/next');
    const second = await run.recorded.flushed();
    assert.notEqual(first, second);
    for (const word of [/clicked/, /and after/, /asked/]) assert.match(stored(first), word);
    assert.match(stored(second), /next/);
  } finally {
    await run.close();
  }
});

test('a document that is opened anew goes on in the same stream', async () => {
  const run = await recorded_page('<!doctype html><title>t</title><p>old</p>');
  try {
    await run.page.evaluate(() => {
      document.open();
      document.write('<!doctype html><title>n</title><p id=p>new</p><input id=i>');
      document.close();
    });
    await run.page.locator('#i').fill('typed');
    const stream = await run.recorded.flushed();
    assert.equal(await rebuild(browser, plain(stream), tree_of), await live_tree(run.page));
    assert.match(stored(stream), /typed/);
  } finally {
    await run.close();
  }
});

test('closed shadow roots, canvases and fonts by script are said to be missing', async () => {
  const run = await recorded_page(`<!doctype html><title>t</title><body><div id=d></div><canvas></canvas>
    <script>d.attachShadow({mode:'closed'}).innerHTML='<p>unseen'</script>`);
  try {
    await run.page.waitForFunction(() => true, null, {polling: 'raf'});
    const stream = await run.recorded.flushed();
    const reasons = stream.gaps.map((gap) => gap.reason).sort();
    assert.deepEqual(reasons, ['canvas', 'closed-shadow-root']);
    assert.ok(stream.gaps.every((gap) => gap.node > 0));
  } finally {
    await run.close();
  }
});

test('a PDF that a page embeds is said to be missing', async () => {
  const run = await recorded_page('<!doctype html><title>t</title><embed type="application/pdf" src="/none.pdf"><embed type="image/svg+xml">');
  try {
    const stream = await run.recorded.flushed();
    assert.deepEqual(stream.gaps.map((gap) => [gap.reason, gap.node > 0]), [['pdf', true]]);
  } finally {
    await run.close();
  }
});

test('broken text arrives as valid JSON', async () => {
  const run = await recorded_page('<!doctype html><title>t</title><p id=p></p>');
  try {
    await run.page.evaluate(() => (p.textContent = '👍'.slice(0, 1) + ' \\ud83d \u2028 end'));
    const stream = await run.recorded.flushed();
    assert.ok(!/[^\\](\\\\)*\\ud83d/.test(text_of(stream)));
    assert.match(text_of(stream), /\\\\ud83d \u2028 end|\\\\ud83d \\u2028 end/);
  } finally {
    await run.close();
  }
});

test('bytes of blob: images are read in the page', async () => {
  const run = await recorded_page('<!doctype html><title>t</title><img id=i>');
  try {
    await run.page.evaluate(() => new Promise((done) => {
      i.onload = i.onerror = done;
      i.src = URL.createObjectURL(new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], {type: 'image/svg+xml'}));
    }));
    const stream = await run.recorded.flushed();
    assert.equal(stream.assets.length, 1);
    assert.equal(Buffer.from(stream.assets[0].base64, 'base64').toString(), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  } finally {
    await run.close();
  }
});

test('a recorder that pauses sends nothing, and resumes with a whole snapshot', async () => {
  const run = await recorded_page('<!doctype html><title>t</title><p id=p>one</p>');
  try {
    await run.recorded.call('recorderPause');
    const before = (await run.recorded.flushed()).events.length;
    await run.page.evaluate(() => (p.textContent = 'unseen'));
    assert.equal((await run.recorded.flushed()).events.length, before);
    await run.page.evaluate(() => (p.textContent = 'two'));
    await run.recorded.call('recorderResume');
    const stream = await run.recorded.flushed();
    assert.ok(!stored(stream).includes('unseen'));
    const since = plain(stream).slice(before);
    assert.deepEqual(since.slice(0, 2).map((event) => event.type), [4, 2]);
    assert.equal(await rebuild(browser, since, tree_of), await live_tree(run.page));
  } finally {
    await run.close();
  }
});
