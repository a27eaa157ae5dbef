import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    // Starts one server for the run, unless WHEREABOUTS_URL names one that runs already.
    globalSetup: 'whereabouts/vitest',
    // A test that replaced `fetch` leaves it as it was.
    unstubGlobals: true,
    // Mails and requests are waited for at the server, so a busy machine is slow, not wrong.
    testTimeout: 120_000,
  },
})
