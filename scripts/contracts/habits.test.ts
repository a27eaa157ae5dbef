import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OPTIONAL } from '#contracts/reader/features.ts'
import { onlyTokenScheme, tokenAs } from '#server/test/stand-ins/answer-habits.ts'
import { backends } from '#server/test/stand-ins/backends.ts'
import type { Habit } from '#server/test/stand-ins/habit.ts'
import { startStandIn } from '#server/test/stand-ins/stand-in.ts'
import { runCheck } from './check.ts'
import { ALICE, checkBackend, createTempFolder, createTestIo, formatFindings, startListeningPortal } from './test-io.ts'

/** Stand-ins send the time of this machine, and cannot pass on a body that is not JSON. */
const NOW = { now: () => new Date() }
const NOT_PASSED_ON = 'sessions.signIn, truncated body'

async function checkStandIn(habits: readonly Habit[], flags: string[] = []) {
  await using portal = await startListeningPortal()
  await using backend = await startStandIn(habits, { upstream: portal.base })
  using files = createTempFolder()
  const file = files.at('config.json')
  const all = ['--base', backend.origin, ...ALICE, '--write-config', file, ...flags]
  const { code, err, report } = await checkBackend(all, NOW)
  const failures = formatFindings(report).filter((line) => line.startsWith('fail') && !line.includes(NOT_PASSED_ON))
  return { code, err, report, failures, config: JSON.parse(readFileSync(file, 'utf8')), origin: backend.origin }
}

test('the portal copes with every deviation of a Django REST framework backend', async () => {
  const { failures, report } = await checkStandIn(backends.djangoRestFramework, ['--write'])
  expect(failures).toEqual([])
  expect(report.counts.tolerated).toBeGreaterThan(50)
})

test('the portal copes with a backend that responds to changes with an empty body', async () => {
  const { failures, report } = await checkStandIn(backends.railsOrNode, ['--write'])
  expect(failures).toEqual([])
  expect(report.counts.tolerated).toBeGreaterThan(50)
})

test('a deviation of the whole backend is one cause, with the list of its calls', async () => {
  const { report } = await checkStandIn(backends.djangoRestFramework)
  const habits = report.causes.map(({ habit }) => habit).filter((habit) => habit !== undefined)
  expect(habits.filter((habit) => ['number-as-text', 'other-instant', 'error-body', 'page-for-list'].includes(habit)).toSorted()).toEqual([
    'error-body',
    'number-as-text',
    'other-instant',
    'page-for-list',
  ])
  const errors = report.causes.find(({ habit }) => habit === 'error-body')
  expect(errors?.calls.length).toBeGreaterThan(30)
  expect(errors).toMatchObject({ verdict: 'tolerated', message: 'an error without detail and code' })
})

test('an entry that cannot be displayed is counted', async () => {
  const { report } = await checkStandIn(backends.nextYear, ['--only', '*.list'])
  expect(report.causes.map(({ effect }) => effect)).toContainEqual(expect.stringMatching(/^3 of \d+ entries are not shown$/))
})

test('features that the backend lacks are left out of the configuration, and their calls are one deviation each', async () => {
  const { report, config, origin, err } = await checkStandIn(backends.documentedOnlyAsHtml)
  const missing = report.features.filter(({ state }) => state === 'missing').map(({ name }) => name)
  expect(missing).toEqual(expect.arrayContaining(['alerts', 'history', 'live', 'places', 'tags', 'team']))
  expect(config).toEqual({
    apiBaseUrl: origin,
    features: ['conflicts', 'links', 'me', 'sct2', 'settings', 'subscriptions', 'theft'],
    auth: { scheme: 'Bearer' },
  })
  expect(config.features.filter((name: string) => missing.includes(name))).toEqual([])
  expect(formatFindings(report).filter((line) => line.includes('places.'))).toEqual([
    'tolerated reads places.list: 404 GET /tracker_places/: the backend has no places',
  ])
  expect(err).toMatch(/the portal needs more in .+: tiles is missing/)
})

const FIELDS = { apiBaseUrl: 'https://old.example', tiles: { url: '/{z}/{x}/{y}.png', attribution: '', maxZoom: 19 }, productName: 'Paws' }

test('--write-config keeps other fields, names the scheme of the token, and lists all features of a complete backend', async () => {
  await using portal = await startListeningPortal()
  await using backend = await startStandIn([onlyTokenScheme, tokenAs('key')], { upstream: portal.base })
  using files = createTempFolder()
  writeFileSync(files.at('config.json'), JSON.stringify(FIELDS))
  const flags = ['--base', backend.origin, ...ALICE, '--only', 'preflight.auth']
  expect((await checkBackend(flags, NOW)).code).toBe(1)
  const { code, err, report } = await checkBackend([...flags, '--write-config', files.at('config.json')], NOW)
  expect([code, err]).toEqual([0, ''])
  expect(formatFindings(report)).toEqual([
    'tolerated preflight preflight.auth: authorization the token is accepted after the word Token, not after Bearer',
  ])
  const config = JSON.parse(readFileSync(files.at('config.json'), 'utf8'))
  expect(config).toMatchObject({ ...FIELDS, apiBaseUrl: backend.origin, auth: { scheme: 'Token' } })
  expect(config.features).toEqual([...OPTIONAL])
})

test('--write-config needs a user, and refuses to overwrite a file that is not a configuration', async () => {
  using files = createTempFolder()
  writeFileSync(files.at('list.json'), '[]')
  const flags = ['--base', 'http://127.0.0.1:1', '--write-config']
  for (const [argv, reason] of [
    [[...flags, files.at('new.json')], '--write-config: sign in'],
    [[...flags, files.at('list.json'), ...ALICE], 'is not a configuration'],
  ] as const) {
    const { io, printed } = createTestIo()
    expect(await runCheck(argv, io)).toBe(2)
    expect(printed.err).toContain(reason)
  }
  expect(existsSync(files.at('new.json'))).toBe(false)
})
