// A second CDP client on the browser that browx drives: sees the raw events with eyes of its own. It shares no code with browx.
import fs from 'node:fs';
import path from 'node:path';

import { commandLine, startedBy } from './processes.mjs';

/// The folder of the browser's profile, from the command line of the browser that `server` ({pid, workspace}) started.
export function profileOf(server) {
  for (const { pid } of startedBy(server.pid, server.workspace)) {
    const flag = commandLine(pid).find(a => a.startsWith('--user-data-dir='));
    if (flag) return flag.slice('--user-data-dir='.length);
  }
  throw new Error(`no browser of server ${server.pid}`);
}

export class CdpWitness {
  #socket;
  #waiting = new Map();
  #next = 1;
  /// Every event of every target in order of arrival: {t, session, target, method, params}.
  events = [];
  #targets = new Map();

  static async attach(server) {
    const [port, browserPath] = fs.readFileSync(path.join(profileOf(server), 'DevToolsActivePort'), 'utf8').split('\n');
    const witness = new CdpWitness();
    witness.#socket = new WebSocket(`ws://127.0.0.1:${port}${browserPath}`);
    await new Promise((done, failed) => { witness.#socket.onopen = done; witness.#socket.onerror = () => failed(new Error('the browser refused the witness')); });
    witness.#socket.onmessage = event => witness.#receive(JSON.parse(event.data));
    witness.#socket.onclose = () => witness.#waiting.forEach(({ failed }) => failed(new Error('the browser has gone')));
    await witness.#autoAttach(undefined);
    return witness;
  }

  call(method, params = {}, sessionId = undefined) {
    const id = this.#next++;
    this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }));
    return new Promise((done, failed) => this.#waiting.set(id, { done, failed }));
  }

  /// Events of a method, with the target's info.
  of(method) { return this.events.filter(e => e.method === method); }

  /// Keeps the DOM of every target in sight, so that its changes are told. Call it when the pages stand.
  async watchDom() {
    for (const [sessionId, target] of this.#targets) {
      if (!['page', 'iframe'].includes(target.type)) continue;
      await this.call('DOM.enable', {}, sessionId);
      await this.call('DOM.getDocument', { depth: -1, pierce: true }, sessionId);
    }
  }

  close() { this.#socket.close(); }

  #autoAttach(sessionId) {
    return this.call('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, sessionId);
  }

  async #attached(sessionId, info) {
    this.#targets.set(sessionId, info);
    const quietly = promise => promise.catch(() => {});  // a target may go at any time, and workers have no Page
    const begun = [];
    if (['page', 'iframe'].includes(info.type)) begun.push(quietly(this.call('Page.enable', {}, sessionId)));
    if (info.type !== 'tab') begun.push(quietly(this.call('Network.enable', {}, sessionId)), quietly(this.call('Runtime.enable', {}, sessionId)));
    begun.push(quietly(this.#autoAttach(sessionId)), quietly(this.call('Runtime.runIfWaitingForDebugger', {}, sessionId)));
    await Promise.all(begun);
  }

  #receive(message) {
    if (message.id) {
      const { done, failed } = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      return message.error ? failed(new Error(message.error.message)) : done(message.result);
    }
    if (message.method === 'Target.attachedToTarget') this.#attached(message.params.sessionId, message.params.targetInfo);
    if (message.method === 'Target.detachedFromTarget') this.#targets.delete(message.params.sessionId);
    this.events.push({ t: performance.now(), session: message.sessionId, target: this.#targets.get(message.sessionId), method: message.method, params: message.params });
  }
}
