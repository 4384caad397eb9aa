// Recordings that reach a cap, through the tools: what fits is kept whole and says where it ends, the session goes on.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';

import { query } from '../support/archive.mjs';
import { info, Server } from '../support/browx.mjs';
import { startSite } from '../support/serve.mjs';

let site;
before(async () => { site = await startSite(); });
after(() => site.close());

async function recorded(t, replay, rounds) {
  const server = await Server.start();
  t.after(() => server.close().catch(() => {}));
  await server.ok('open_session', { url: site.url(`/pages/activity.html?rounds=${rounds}`) });
  await server.ok('start_recording', { flowName: 'capped', replay: { tier: 'replay', ...replay } });
  const click = await server.call('click', { selector: '#run', timeoutMs: 30000 });
  await server.call('wait_for', { text: 'done main', timeoutMs: 30000 });
  const last = await server.call('click', { selector: 'h1', timeoutMs: 30000 });
  const ended = await server.ok('end_recording');
  return { click, last, ended, told: await info(ended.replay.absolutePath), file: ended.replay.absolutePath };
}

test('a recording that reaches its size ends there, and the tools go on', async t => {
  const sizeCap = 120_000;
  const { last, ended, told, file } = await recorded(t, { sizeCap }, 150);
  assert.equal(ended.replay.truncated.reason, 'size-cap', JSON.stringify(ended.replay));
  assert.ok(ended.replay.truncated.dropped > 0);
  assert.equal(last.action?.type, 'click', JSON.stringify(last));
  assert.deepEqual([told.truncated.reason, told.truncated.dropped], ['size-cap', ended.replay.truncated.dropped]);
  assert.equal(told.sealed, true);
  assert.ok(fs.statSync(file).size <= sizeCap * 1.2, `${fs.statSync(file).size} bytes`);
  assert.match(ended.yaml, /click-1/);
  assert.equal(query(file, "SELECT count(*) AS n FROM artifact WHERE name = 'flow.yaml'")[0].n, 1, 'the flow is kept');
});

test('a recording that reaches its number of events ends there', async t => {
  const { ended, told, file } = await recorded(t, { eventCap: 60 }, 40);
  assert.equal(ended.replay.truncated.reason, 'event-cap', JSON.stringify(ended.replay));
  assert.ok(ended.replay.events <= 60, `${ended.replay.events}`);
  const [{ dom }] = query(file, 'SELECT coalesce(sum(events), 0) AS dom FROM dom_chunk'), [{ other }] = query(file, 'SELECT count(*) AS other FROM event');
  assert.equal(dom + other, ended.replay.events);
  assert.equal(told.truncated.reason, 'event-cap');
});

test('a recording below its caps is not truncated', async t => {
  const { ended, told } = await recorded(t, { sizeCap: 50 << 20, eventCap: 100_000 }, 10);
  assert.equal(ended.replay.truncated, undefined);
  assert.equal(told.truncated, undefined);
  assert.deepEqual(told.steps.filter(s => s.tool === 'click').map(s => s.ok), [true, true]);
});
