// What /proc says about processes, for tests that ask who is left.
import fs from 'node:fs';

const read = file => { try { return fs.readFileSync(file, 'utf8'); } catch { return ''; } };

// {pid, parent, began}: `began` tells a process from a later one with the same number.
function stat(pid) {
  const text = read(`/proc/${pid}/stat`), fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return text && fields[0] !== 'Z' ? { pid: Number(pid), parent: Number(fields[1]), began: fields[19] } : null;
}

/// Every process that carries `entry` ("NAME=value") in its environment, and everything below those. A process that was handed to
/// another parent is found by the entry, a renderer, which writes over its environment, by its parent. This process is left out.
export function marked(entry) {
  const children = new Map(), all = fs.readdirSync('/proc').filter(name => /^\d+$/.test(name)).map(stat).filter(Boolean);
  for (const one of all) children.set(one.parent, [...(children.get(one.parent) ?? []), one]);
  const found = new Map(), visit = one => {
    if (one.pid === process.pid || found.has(one.pid)) return;
    found.set(one.pid, one);
    (children.get(one.pid) ?? []).forEach(visit);
  };
  all.filter(one => read(`/proc/${one.pid}/environ`).split('\0').includes(entry)).forEach(visit);
  return [...found.values()];
}

/// What a server started, found by its own workspace; the server itself is left out.
export const startedBy = (serverPid, workspace) => marked(`BROWX_WORKSPACE=${workspace}`).filter(one => one.pid !== serverPid);

export const commandLine = pid => read(`/proc/${pid}/cmdline`).split('\0').filter(Boolean);
export const alive = one => stat(one.pid)?.began === one.began;

/// Waits until none of `processes` lives; those left at the deadline.
export async function gone(processes, milliseconds = 3000) {
  const until = performance.now() + milliseconds;
  let left = processes.filter(alive);
  while (left.length && performance.now() < until) {
    await new Promise(done => setTimeout(done, 20));
    left = left.filter(alive);
  }
  return left;
}
