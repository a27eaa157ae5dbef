import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

// Dates without a zone are read in the time zone of the process; tests that depend on zones set them.
process.env.TZ = 'UTC'

export default defineConfig({
  plugins: [react()],
  test: {
    // Workers often wait for timers, so there are more of them than processors.
    maxWorkers: 2 * availableParallelism(),
    // A busy machine is slow, not wrong.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 250_000 } },
    // Quiet when all is well: one line a file, and console output of failed tests only.
    slowTestThreshold: 20_000,
    silent: 'passed-only',
    // Fewer garbage collections, because documents live for one test only.
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          // One load of the server for all files of a worker; each test reverts its changes.
          isolate: false,
          include: ['{server,db,contracts,scripts,e2e}/**/*.test.ts', 'web/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'db/{postgres,open}/**'],
          globalSetup: 'scripts/test-setup/templates.ts',
        },
      },
      {
        extends: true,
        test: {
          // The tests of the API once more, on a real PostgreSQL.
          name: 'postgres',
          environment: 'node',
          isolate: false,
          include: [
            'server/{accounts,alerts,billing,contacts,jobs,links,live,mail,outbox,photos,places,recovery,security,tags,theft,trackers,tracking}/**/*.test.ts',
            'server/test/sweeps/**/*.test.ts',
            'db/{positions,scope,sessions}.test.ts',
            'db/{postgres,open}/**/*.test.ts',
          ],
          exclude: [
            // A million rows.
            'server/tracking/**/*-million.test.ts',
          ],
          setupFiles: ['server/test/postgres/setup.ts'],
          globalSetup: 'scripts/test-setup/postgres.ts',
        },
      },
      {
        extends: true,
        test: {
          // The tests of the database and of the stores with the most engine-specific statements, on the oldest supported version.
          // TEST_POSTGRES_VERSION runs the whole project `postgres` on it (CONTRIBUTING.md).
          name: 'postgres-15',
          environment: 'node',
          isolate: false,
          include: [
            'server/{mail,outbox}/**/*.test.ts',
            'server/tracking/{history,ingest,retention}/**/*.test.ts',
            'db/{positions,scope,sessions}.test.ts',
            'db/{postgres,open}/**/*.test.ts',
          ],
          exclude: ['server/tracking/**/*-million.test.ts'],
          env: { TEST_POSTGRES_VERSION: '15' },
          setupFiles: ['server/test/postgres/setup.ts'],
          globalSetup: 'scripts/test-setup/postgres.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          environment: 'jsdom',
          // Each worker loads packages and server once, but the modules of the portal again for every file (web/test/setup.ts).
          isolate: false,
          include: ['web/**/*.test.tsx'],
          setupFiles: ['web/test/setup.ts'],
          globalSetup: 'scripts/test-setup/templates.ts',
        },
      },
    ],
  },
})
