import { defineConfig } from '@playwright/test'
import { launchOptions } from '#e2e/chromium.ts'

/** Tests that fail on purpose, run by evidence.spec.ts against the server of its own run. */
export default defineConfig({
  testMatch: '*.case.ts',
  workers: 1,
  use: { launchOptions },
})
