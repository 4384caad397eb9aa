// browx as tests see it: the server behind the official MCP client, and the command line.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const run = promisify(execFile);

/// The program under test: BROWX_BIN, set by ctest.
export const browx = () => process.env.BROWX_BIN ?? fail('BROWX_BIN does not say where browx is; run this through ./dev test');

/// A new empty folder, removed when the process ends.
export function temporaryFolder(prefix = 'browx-test-') {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), prefix));
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const everyCapability = 'read,navigation,action,human,eval,replay,secrets,network-body,file-io';

// What is expected to succeed is given the time that a loaded machine takes; a deadline under test is a call's own.
const patient = new Set(['open_session', 'navigate', 'go_back', 'go_forward', 'reload', 'snapshot', 'click', 'fill', 'press', 'hover', 'select', 'scroll', 'wait_for',
  'screenshot', 'verify_visible', 'verify_text', 'verify_value', 'verify_count', 'verify_attribute', 'start_recording', 'eval_js']);

export class Server {
  #client;
  #transport;
  #stderr = '';

  /// Starts `browx mcp` and shakes hands. `era`: "legacy" (initialize, what clients do by default), "auto" or a pinned revision.
  static async start({ workspace = temporaryFolder(), capabilities = everyCapability, env = {}, era = 'legacy', bin = browx() } = {}) {
    const server = new Server();
    server.workspace = workspace;
    server.#transport = new StdioClientTransport({
      command: bin, args: ['mcp'], stderr: 'pipe', maxBufferSize: 64 << 20,
      env: { ...process.env, BROWX_HEADLESS: '1', BROWX_WORKSPACE: workspace, BROWX_CAPABILITIES: capabilities, ...env },
    });
    server.#transport.stderr.on('data', chunk => { server.#stderr += chunk; });
    const mode = ['legacy', 'auto'].includes(era) ? era : { pin: era };
    server.#client = new Client({ name: 'browx-tests', version: '1' }, { versionNegotiation: { mode } });
    try {
      await server.#client.connect(server.#transport);
    } catch (error) {
      throw new Error(`browx mcp did not start: ${error.message}\n${server.#stderr}`);
    }
    return server;
  }

  get pid() { return this.#transport.pid; }
  get stderr() { return this.#stderr; }
  get client() { return this.#client; }

  /// The whole result of a tools/call.
  raw(name, args = {}) { return this.#client.callTool({ name, arguments: args }, { timeout: 120_000 }); }
  /// The structured answer, whatever it says; for tools that answer text, {text}.
  async call(name, args = {}) {
    const result = await this.raw(name, args);
    return result.structuredContent ?? { ok: !result.isError, text: textOf(result) };
  }
  /// The same, and an error unless it is ok.
  async ok(name, args = {}) {
    const result = await this.raw(name, patient.has(name) ? { timeoutMs: 30_000, ...args } : args), answer = result.structuredContent ?? { text: textOf(result) };
    if (result.isError || answer.ok === false) throw new Error(`${name} ${JSON.stringify(args)} answered ${JSON.stringify(answer).slice(0, 1500)}`);
    return answer;
  }
  /// The snapshot's text: `role "name" [ref=eN] [state]` lines.
  async snapshot(args = {}) { return textOf(await this.raw('snapshot', args)); }
  /// The ref of the first line of a fresh snapshot that starts with `role "name"`.
  async ref(role, name, args = {}) {
    const tree = await this.snapshot(args), line = tree.split('\n').find(l => l.trim().replace(/^- /, '').startsWith(`${role} ${JSON.stringify(name)}`));
    return line?.match(/\[ref=(e\d+)\]/)?.[1] ?? fail(`no ${role} ${JSON.stringify(name)} in the snapshot:\n${tree}`);
  }
  /// Ends the server as clients do: its stdin is closed.
  close() { return this.#client.close(); }
}

export const textOf = result => result.content.filter(c => c.type === 'text').map(c => c.text).join('\n');

/// Runs browx with arguments: {code, stdout, stderr}.
export async function cli(args, { env = {}, bin = browx() } = {}) {
  try {
    return { code: 0, ...(await run(bin, args, { env: { ...process.env, ...env }, maxBuffer: 64 << 20 })) };
  } catch (error) {
    if (typeof error.code !== 'number') throw error;
    return { code: error.code, stdout: error.stdout, stderr: error.stderr };
  }
}

/// What `browx info --json` says of an archive.
export async function info(file, options) {
  const { code, stdout, stderr } = await cli(['info', '--json', file], options);
  if (code !== 0) throw new Error(`browx info ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

export function fail(message) { throw new Error(message); }
