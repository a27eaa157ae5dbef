import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from '@playwright/test'
import { launchOptions, ordinaryLaunchOptions } from '#e2e/chromium.ts'
import { choosePorts } from '#e2e/ports.ts'

const { server: PORT, staticHost: STATIC_HOST_PORT } = await choosePorts()
const ORIGIN = `http://127.0.0.1:${PORT}`
const DATA = `.cache/e2e-${PORT}`
const LOG = 'test-results/server.log'

// Each run begins with an empty data folder. Workers read this file too, while the server is writing there.
if (process.env.TEST_WORKER_INDEX === undefined) {
  rmSync(DATA, { recursive: true, force: true })
  mkdirSync(path.dirname(LOG), { recursive: true })
}

export default defineConfig({
  testDir: 'e2e',
  // Files that end in .test.ts belong to vitest.
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/artifacts',
  // While one worker waits for a page, another uses the processor.
  workers: '200%',
  retries: 0,
  fullyParallel: true,
  forbidOnly: true,
  // A busy machine takes ten times as long as a quiet one; passing tests never wait for this limit.
  timeout: 240_000,
  expect: { timeout: 20_000 },
  reporter: [['dot'], ['json', { outputFile: 'test-results/report.json' }], ['./e2e/first-failures.ts', { log: LOG }]],
  use: {
    baseURL: ORIGIN,
    locale: 'en-GB',
    timezoneId: 'Europe/Paris',
    // Each test has a browser of its own with an empty cache; files fetched by the worker are shared by its tests.
    serviceWorkers: 'block',
    // Recording takes a tenth of the time of all tests: `npx playwright test --last-failed --trace on` records the failed ones.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'journeys', testIgnore: 'quality/**', use: { launchOptions } },
    // Loading and layout are checked in the browser that most people use, if there is one.
    { name: 'quality', testMatch: 'quality/**', use: { launchOptions: ordinaryLaunchOptions } },
  ],
  webServer: {
    // In a file, so that the end of a run can show why the server ended (e2e/first-failures.ts).
    command: `node dist/server/mock.js 2>${LOG}`,
    url: `${ORIGIN}/healthz`,
    timeout: 60_000,
    stdout: 'ignore',
    stderr: 'pipe',
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
    env: {
      PORT: String(PORT),
      HOST: '127.0.0.1',
      PORTAL_ORIGIN: ORIGIN,
      DATA_DIR: DATA,
      SEED_ANCHOR: '2026-03-02T09:00:00Z',
      RATE_LIMITS: 'off',
      SCENARIOS: 'examples/scenarios',
      CORS_ORIGINS: `http://127.0.0.1:${STATIC_HOST_PORT}`,
    },
  },
})
