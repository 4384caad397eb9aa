// What /proc says about processes, for tests that ask who is left.
import fs from 'node:fs';

const read = file => { try { return fs.readFileSync(file, 'utf8'); } catch { return ''; } };

// {pid, parent, began}: `began` tells a process from a later one with the same number.
function stat(pid) {
  const text = read(`/proc/${pid}/stat`), fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return text && fields[0] !== 'Z' ? { pid: Number(pid), parent: Number(fields[1]), began: fields[19] } : null;
}

/// Every process below `pid`, itself left out.
export function descendants(pid) {
  const children = new Map();
  for (const one of fs.readdirSync('/proc').filter(name => /^\d+$/.test(name)).map(stat)) {
    if (one) children.set(one.parent, [...(children.get(one.parent) ?? []), one]);
  }
  const found = [], visit = parent => (children.get(parent) ?? []).forEach(one => { found.push(one); visit(one.pid); });
  visit(pid);
  return found;
}

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
