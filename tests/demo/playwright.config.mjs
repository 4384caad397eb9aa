// Runs a generated spec against the demo app:
//
//   BROWX_BASE_URL=http://127.0.0.1:N BROWX_SPECS=out/demo npx playwright test --config tests/demo/playwright.config.mjs
//
// BROWX_BASE_URL: the app (node tests/app/server.mjs prints it); BROWX_SPECS: the folder with the spec; BROWX_OUTPUT: where traces of
// failures go. What the recording kept secret comes from the environment under its name: PASSWORD, ONE_TIME_CODE, …
import path from 'node:path';

import { defineConfig } from '@playwright/test';

import { chromiumArguments, chromiumPath } from '../support/chromium.mjs';

const need = name => { if (!process.env[name]) throw new Error(`${name} is not set; see the head of tests/demo/playwright.config.mjs`); return process.env[name]; };
const specs = path.resolve(need('BROWX_SPECS'));

export default defineConfig({
  testDir: specs,
  testMatch: '*.spec.ts',
  outputDir: path.resolve(process.env.BROWX_OUTPUT ?? path.join(specs, 'test-results')),
  timeout: 120_000,
  expect: { timeout: Number(process.env.BROWX_EXPECT_MS ?? 15_000) },
  workers: 1,
  use: {
    baseURL: need('BROWX_BASE_URL'),
    actionTimeout: Number(process.env.BROWX_EXPECT_MS ?? 15_000),
    launchOptions: { executablePath: chromiumPath(), args: chromiumArguments() },
  },
});
