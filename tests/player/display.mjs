// A virtual display of its own for each test file, and the player on it.
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { fail, temporaryFolder } from '../support/browx.mjs';

const scratch = temporaryFolder();
let made = 0;
/// A new empty folder.
export function folder() {
  const fresh = path.join(scratch, String(++made));
  fs.mkdirSync(fresh);
  return fresh;
}

const run = promisify(execFile);
export const player = () => process.env.BROWX_PLAYER ?? fail('BROWX_PLAYER does not say where browx-player is; run this through ./dev test');

/// An archive of tests/player/make_archive.cpp.
export async function archive(kind) {
  const file = path.join(folder(), `${kind}.browx`);
  await run(process.env.BROWX_MAKE_ARCHIVE, [kind, file]);
  return file;
}

export async function run_player(args, env = {}) {
  try {
    return { code: 0, ...(await run(player(), args, { env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', ...env }, maxBuffer: 64 << 20 })) };
  } catch (error) {
    if (typeof error.code !== 'number') throw error;
    return { code: error.code, stdout: error.stdout, stderr: error.stderr };
  }
}

/// {name, close()}: an X server on a free display.
export async function display() {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  let said = '';
  server.stderr.on('data', chunk => { said += chunk; });
  const ended = new Promise(resolve => server.once('close', resolve));
  const number = await new Promise((resolve, reject) => {
    let text = '';
    server.stdio[3].on('data', chunk => { text += chunk; if (text.includes('\n')) resolve(text.trim()); });
    server.once('error', error => reject(new Error(`Xvfb does not start (${error.message}); ./dev setup installs it`)));
    server.once('close', code => reject(new Error(`Xvfb ended with ${code}: ${said}`)));
  });
  return { name: `:${number}`, close: async () => { server.kill(); await ended; } };
}

/// The player's window on a display: real input through X, the state that it tells.
export class PlayerWindow {
  static async open(screen, args) {
    const window = new PlayerWindow();
    window.env = { ...process.env, DISPLAY: screen.name };
    window.file = path.join(folder(), 'state.json');
    window.process = spawn(player(), [...args, '--state', window.file], { env: window.env, stdio: ['ignore', 'ignore', 'pipe'] });
    window.stderr = '';
    window.process.stderr.on('data', chunk => { window.stderr += chunk; });
    window.ended = new Promise(resolve => window.process.once('close', (code, signal) => resolve(code ?? signal)));
    await window.until(state => state.plot.width > 0, 'the first frame');
    window.id = (await window.xdotool('search', '--sync', '--onlyvisible', '--pid', String(window.process.pid))).trim().split('\n').at(-1);
    await window.xdotool('windowfocus', '--sync', window.id);
    return window;
  }
  async xdotool(...args) { return (await run('xdotool', args, { env: this.env, timeout: 60_000 })).stdout; }
  state() {
    try { return JSON.parse(fs.readFileSync(this.file, 'utf8')); } catch (error) { if (error.code === 'ENOENT') return null; throw error; }
  }
  /// The first state that `holds`.
  async until(holds, what) {
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; await new Promise(r => setTimeout(r, 20))) {
      const state = this.state();
      if (state && holds(state)) return state;
      if (this.process.exitCode !== null) throw new Error(`the player ended with ${this.process.exitCode}: ${this.stderr}`);
    }
    const { steps, network, console: log, coverage, ...state } = this.state() ?? {};
    throw new Error(`waited in vain for ${what}; the state is ${JSON.stringify(state)}`);
  }
  key(...names) { return this.xdotool('key', ...names); }
  async move(x, y) { await this.xdotool('mousemove', '--window', this.id, String(Math.round(x)), String(Math.round(y))); }
  async click(x, y, button = 1) { await this.press(x, y, button); await this.release(button); }
  async press(x, y, button = 1) { await this.move(x, y); await this.pause(); await this.xdotool('mousedown', String(button)); await this.pause(); }
  async release(button = 1) { await this.xdotool('mouseup', String(button)); }
  /// Where a moment (ms) lies on the screen now.
  x(ms, state = this.state()) { return state.plot.x + (ms - state.viewport.from) / (state.viewport.to - state.viewport.from) * state.plot.width; }
  /// ImGui takes one change of a button a frame: two frames must lie between a press and a release.
  async pause() { await new Promise(r => setTimeout(r, 150)); }
  async close() { this.process.kill(); await this.ended; }
}
