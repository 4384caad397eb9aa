// kill -9 of the server 0 to 400 ms after an acknowledged step: the archive opens, every acknowledged step is there, and nothing that
// the server started is left. BROWX_KILLS says how often (default 10).
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { info, Server, temporaryFolder } from '../support/browx.mjs';
import { profileOf } from '../support/cdp_witness.mjs';
import { gone, startedBy } from '../support/processes.mjs';
import { startSite } from '../support/serve.mjs';

const rounds = Number(process.env.BROWX_KILLS ?? 10);
let site;
before(async () => { site = await startSite(); });
after(() => site.close());

const archivesIn = folder => fs.readdirSync(folder, { recursive: true }).filter(f => f.endsWith('.browx')).map(f => path.join(folder, f));

for (let round = 0; round < rounds; round++) {
  const wait = Math.round((400 * round) / Math.max(1, rounds - 1)), clicks = 1 + (round % 3);
  test(`killed ${wait} ms after step ${clicks}, the archive holds it and no process is left`, async t => {
    const workspace = temporaryFolder(), server = await Server.start({ workspace });
    t.after(() => server.close().catch(() => {}));
    await server.ok('open_session', { url: site.url('/pages/activity.html?rounds=200') });
    await server.ok('start_recording', { flowName: 'killed', replay: { tier: 'replay' } });
    for (let i = 0; i < clicks; i++) await server.ok('click', { selector: 'role=button[name="Run"]' });
    const profile = profileOf(server), started = startedBy(server.pid, workspace);
    assert.ok(started.length > 1, 'the browser runs');
    await new Promise(done => setTimeout(done, wait));
    process.kill(server.pid, 'SIGKILL');
    assert.deepEqual((await gone(started)).map(p => p.pid), [], 'a process is left');

    const files = archivesIn(workspace);
    assert.equal(files.length, 1);
    const before = fs.readFileSync(files[0]), told = await info(files[0]);
    assert.equal(told.steps.filter(step => step.tool === 'click' && step.ok).length, clicks);
    assert.equal(told.partial, true, 'an unsealed file says so');
    assert.deepEqual(fs.readFileSync(files[0]), before, 'reading changed the file');
    assert.equal(fs.existsSync(profile), false, 'the temporary profile is left');
  });
}
