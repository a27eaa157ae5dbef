import { defineConfig } from '@playwright/test'

const PORT = Number(process.env.PORT ?? 8080)
const origin = `http://localhost:${PORT}`

export default defineConfig({
  testDir: 'tests',
  // Each test has a world of its own, so all of them run side by side.
  fullyParallel: true,
  // A busy machine is slow, not wrong.
  expect: { timeout: 20_000 },
  use: { baseURL: origin },
  webServer: { command: `npx whereabouts up --port ${PORT}`, url: `${origin}/healthz`, reuseExistingServer: true, timeout: 120_000 },
})
