// `browx mcp` spoken to line by line, for what the official client would never send.
import { spawn } from 'node:child_process';

import { browx } from './browx.mjs';

export class RawServer {
  lines = [];
  stderr = '';
  #waiting = [];

  constructor({ args = ['mcp'], env = {}, bin = browx() } = {}) {
    this.workspace = env.BROWX_WORKSPACE;
    this.process = spawn(bin, args, { env: { ...process.env, BROWX_HEADLESS: '1', ...env } });
    this.ended = new Promise(done => this.process.on('close', (code, signal) => { this.code = code; this.signal = signal; this.#wake(); done({ code, signal }); }));
    let rest = '';
    this.process.stdout.on('data', chunk => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop();
      this.lines.push(...parts.map(JSON.parse));
      this.#wake();
    });
    this.process.stderr.on('data', chunk => { this.stderr += chunk; });
    this.process.stdin.on('error', () => {});  // it may end before it has read everything
  }

  send(message) { this.process.stdin.write((typeof message === 'string' ? message : JSON.stringify(message)) + '\n'); }

  /// The first line for which `wanted` holds; an error when the server ends without one.
  async line(wanted) {
    for (;;) {
      const found = this.lines.find(wanted);
      if (found) return found;
      if (this.code !== undefined) throw new Error(`browx ended with ${this.code ?? this.signal} before it answered\n${this.stderr}`);
      await new Promise(done => this.#waiting.push(done));
    }
  }
  async request(id, method, params) { this.send({ jsonrpc: '2.0', id, method, ...(params && { params }) }); return this.line(l => l.id === id); }
  async initialize(protocolVersion = '2025-11-25') {
    const answer = await this.request('init', 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } });
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }
  async tool(id, name, args = {}) { return (await this.request(id, 'tools/call', { name, arguments: args })).result; }
  /// Closes stdin and waits for the end: {code, signal, milliseconds}.
  async end() {
    const began = performance.now();
    this.process.stdin.end();
    return { ...(await this.ended), milliseconds: performance.now() - began };
  }
  kill(signal) { this.process.kill(signal); return this.ended; }

  #wake() { this.#waiting.splice(0).forEach(done => done()); }
}
