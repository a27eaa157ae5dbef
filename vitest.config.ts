import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { recordCalls } from '#scripts/test/changed/mark-functions.ts'
import { ENGINE_INDEPENDENT, ONLY_ON, VERSION_INDEPENDENT } from '#scripts/test-setup/engine-independent.ts'
import { limits } from '#scripts/test-setup/limits.ts'
import { completeCacheKeys } from '#scripts/test-setup/module-cache.ts'
import { sortTests, toPatterns } from '#scripts/test-setup/pure-tests.ts'

// Dates without a zone are read in the time zone of the process; tests that depend on zones set them.
process.env.TZ = 'UTC'

const tests = sortTests()
const [pure, others] = [tests.pure, tests.others].map(toPatterns) as [string[], string[]]

/** In runs of `npm test` with `--record` or `--changed`: records which functions each test file calls. */
const isRecorded = process.env.CALLS_DIR !== undefined

const setupFiles = [
  ...(isRecorded ? ['scripts/test/changed/record-file.ts'] : []),
  ...(process.env.TEST_DELAYS ? ['scripts/test/delays/delay-file.ts'] : []),
]

/** CI sets it, and runs on PostgreSQL also the tests that prove nothing more there. */
const runsAllOnPostgres = process.env.POSTGRES_TESTS === 'all'

/** Each project names what all share by itself: to inherit it, it would load this file again. */
const project = (test: NonNullable<TestProjectInlineConfiguration['test']>): TestProjectInlineConfiguration => ({
  plugins: [completeCacheKeys(), ...(isRecorded ? [recordCalls()] : [])],
  test: {
    // The files of a worker load modules once; each test reverts its changes.
    isolate: false,
    testTimeout: limits.test,
    hookTimeout: limits.test,
    expect: { poll: { timeout: limits.poll } },
    // Fewer garbage collections, because documents live for one test only.
    execArgv: ['--max-semi-space-size=64'],
    ...test,
    setupFiles: [...setupFiles, ...[test.setupFiles ?? []].flat()],
  },
})

export default defineConfig({
  test: {
    // Workers often wait for timers, so there are more of them than processors.
    maxWorkers: 2 * availableParallelism(),
    // In node_modules, which `npm ci` empties. Modules of a run that records are marked.
    experimental: { fsModuleCache: !isRecorded },
    // Quiet when all is well: one line a file, and console output of failed tests only.
    slowTestThreshold: 20_000,
    silent: 'passed-only',
    projects: [
      // Without a database or the demo city, so nothing is built before. A test belongs here by its imports (scripts/test-setup/pure-tests.ts).
      project({ name: 'pure', environment: 'node', include: pure }),
      project({
        name: 'node',
        environment: 'node',
        include: others,
        exclude: ['db/{postgres,open}/**', ...ONLY_ON.postgres],
        globalSetup: 'scripts/test-setup/templates.ts',
      }),
      project({
        // The tests of the API once more, on a real PostgreSQL. POSTGRES_TESTS=all adds those whose statements others send as well.
        name: 'postgres',
        environment: 'node',
        include: [
          'server/{accounts,alerts,billing,channels,contacts,jobs,links,live,mail,operator,outbox,photos,places,push,recovery,security,stock,tags,theft,trackers,tracking}/**/*.test.ts',
          'server/test/sweeps/**/*.test.ts',
          'db/{positions,scope,sessions}.test.ts',
          'db/{postgres,open}/**/*.test.ts',
        ],
        exclude: [
          // A million rows; messages sent at once, which only a single writer keeps in order.
          'server/tracking/**/*-million.test.ts',
          'server/tracking/dry-run/*.property.test.ts',
          ...ONLY_ON.sqlite,
          ...(runsAllOnPostgres ? [] : ENGINE_INDEPENDENT),
          ...pure,
        ],
        setupFiles: ['server/test/postgres/setup.ts'],
        globalSetup: 'scripts/test-setup/postgres.ts',
      }),
      project({
        // The schema, and the stores with the most engine-specific statements, on the oldest supported version; POSTGRES_TESTS=all adds the others.
        // TEST_POSTGRES_VERSION runs the whole project `postgres` on it (CONTRIBUTING.md).
        name: 'postgres-15',
        environment: 'node',
        include: [
          'server/{mail,outbox}/**/*.test.ts',
          'server/tracking/{history,ingest,retention}/**/*.test.ts',
          'db/{positions,scope,sessions}.test.ts',
          'db/{postgres,open}/**/*.test.ts',
        ],
        exclude: [
          'server/tracking/**/*-million.test.ts',
          ...ONLY_ON.sqlite,
          ...(runsAllOnPostgres ? [] : [...ENGINE_INDEPENDENT, ...VERSION_INDEPENDENT]),
          ...pure,
        ],
        env: { TEST_POSTGRES_VERSION: '15' },
        setupFiles: ['server/test/postgres/setup.ts'],
        globalSetup: 'scripts/test-setup/postgres.ts',
      }),
      project({
        // The modules of the portal are loaded again for every file (web/test/setup.ts).
        name: 'web',
        environment: 'jsdom',
        include: ['web/**/*.test.tsx'],
        setupFiles: ['web/test/setup.ts'],
        globalSetup: 'scripts/test-setup/templates.ts',
      }),
    ],
  },
})
