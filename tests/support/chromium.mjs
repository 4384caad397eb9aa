// The system's Chromium under playwright-core, as tests that drive pages without browx use it.
import { execFileSync } from 'node:child_process';

import { chromium } from 'playwright-core';

/// BROWX_CHROMIUM, else the first of the usual names on PATH.
export function chromiumPath() {
  const names = process.env.BROWX_CHROMIUM ? [process.env.BROWX_CHROMIUM] : ['chromium', 'chromium-browser', 'google-chrome'];
  for (const name of names) {
    try { return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim(); } catch { /* the next one */ }
  }
  throw new Error(`no Chromium (${names.join(', ')}): install Debian's package chromium, or point BROWX_CHROMIUM to one`);
}

/// Chromium refuses its sandbox to root.
export const chromiumArguments = () => (process.getuid?.() === 0 ? ['--no-sandbox'] : []);

export const launch = () => chromium.launch({ executablePath: chromiumPath(), args: chromiumArguments() });
