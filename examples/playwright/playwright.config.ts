import { defineConfig } from '@playwright/test'

const PORT = Number(process.env.PORT ?? 8080)
const origin = `http://localhost:${PORT}`

export default defineConfig({
  testDir: 'tests',
  // Each test has a world of its own, so all of them run side by side.
  fullyParallel: true,
  use: {
    baseURL: origin,
    // A browser that is already installed; without it, `npx playwright install chromium`.
    ...(process.env.CHROMIUM_PATH && { launchOptions: { executablePath: process.env.CHROMIUM_PATH } }),
  },
  webServer: { command: `npx whereabouts up --port ${PORT}`, url: `${origin}/healthz`, reuseExistingServer: true, timeout: 120_000 },
})
