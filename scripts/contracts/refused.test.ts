import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { runCheck } from './check.ts'
import { runProxy } from './proxy.ts'
import { ALICE, createTempFolder, createTestIo, startListeningPortal } from './test-io.ts'

const BASE = ['--base', 'http://127.0.0.1:1']
const files = createTempFolder()
let portal: Awaited<ReturnType<typeof startListeningPortal>>
beforeAll(async () => {
  portal = await startListeningPortal()
  writeFileSync(files.at('rubbish.json'), '{"a":1}')
})
afterAll(async () => {
  await portal[Symbol.asyncDispose]()
  files[Symbol.dispose]()
})

const BAD_CHECKS: [argv: string[], reason: string][] = [
  [[], '--base is missing'],
  [['--base', 'api.tracker.example'], '--base api.tracker.example is not a URL'],
  [[...BASE, '--bass', 'x'], "Unknown option '--bass'"],
  [[...BASE, 'more'], 'Unexpected argument'],
  [[...BASE, '--email', 'a@b.example'], '--email and --password must be given together'],
  [[...BASE, '--only', 'placez.*'], '--only placez.* matches no endpoint'],
  [[...BASE, '--format', 'pdf'], '--format pdf: must be one of table, json, junit, html'],
  [[...BASE, '--format', 'table,json'], 'all reports but one need a file'],
  [[...BASE, '--format', 'table', '--format', 'json'], 'all reports but one need a file'],
  [[...BASE, '--only', 'tags.*', '--only', 'places.*'], '--only is given twice'],
  [[...BASE, ...BASE], '--base is given twice'],
  [[...BASE, '--max-rps', '0'], '--max-rps 0 is not a number of requests per second'],
  [[...BASE, '--baseline', files.at('none.json')], 'is not a report'],
  [[...BASE, '--baseline', files.at('rubbish.json')], 'is not a report'],
  [[...BASE, '--clean-up', files.at('rubbish.json')], 'is not a clean-up list'],
  [BASE, "http://127.0.0.1:1 can't be reached: "],
]

test('a check with bad arguments ends with exit code 2 and one line', async () => {
  expect(
    await collectFailures(
      BAD_CHECKS,
      ([argv]) => argv.join(' '),
      async ([argv, reason]) => {
        const { io, printed } = createTestIo()
        expect(await runCheck(argv, io)).toBe(2)
        expect(printed).toEqual({ out: '', err: expect.stringContaining(reason) })
        expect(printed.err).toMatch(/^contracts:check: .+\n$/)
      },
    ),
  ).toEqual([])
})

const FAILING_CHECKS: [name: string, argv: string[], reason: string][] = [
  [
    'a wrong password',
    ['--email', 'alice@example.com', '--password', 'wrong'],
    'alice@example.com could not sign in: 401 invalid_credentials',
  ],
  ['a wrong token', ['--token', 'wrong'], 'The token is rejected: 401 not_authenticated'],
  [
    'a report in a folder that is a file',
    ['--only', 'preflight.json', '--format', `json=${files.at('rubbish.json/x.json')}`],
    "x.json can't be written: ",
  ],
  [
    'an unreachable server to compare with',
    [...ALICE, '--parity', 'http://alice%40example.com:wrong@127.0.0.1:1'],
    "http://127.0.0.1:1 can't be reached: ",
  ],
  ['no disposable account', [...ALICE, '--allow-destructive'], 'name the account to delete in CONTRACTS_DISPOSABLE'],
]

test('a check that fails at sign-in or output ends with exit code 2 and one line', async () => {
  expect(
    await collectFailures(
      FAILING_CHECKS,
      ([name]) => name,
      async ([, argv, reason]) => {
        const { io, printed } = createTestIo()
        expect(await runCheck(['--base', portal.base, '--max-rps', '100000', ...argv], io)).toBe(2)
        expect(printed).toEqual({ out: '', err: expect.stringContaining(reason) })
        expect(printed.err).toMatch(/^contracts:check: .+\n$/)
      },
    ),
  ).toEqual([])
})

const BAD_PROXIES: [argv: string[], reason: string][] = [
  [[], '--base is missing'],
  [[...BASE, '--port', '70000'], '--port 70000 is not a port'],
  [[...BASE, '--format', 'html'], '--format html: must be text or json'],
  [[...BASE, '--format', 'text', '--format', 'json'], '--format is given twice'],
  [[...BASE, '--portal', 'nowhere'], '--portal nowhere is not a built portal'],
  [[...BASE, '--portal', files.at('.'), '--config', files.at('none.json')], 'none.json does not exist'],
]

test('a proxy with bad arguments ends with exit code 2 and the reason', async () => {
  expect(
    await collectFailures(
      BAD_PROXIES,
      ([argv]) => argv.join(' '),
      async ([argv, reason]) => {
        const { io, printed } = createTestIo()
        expect(await runProxy(argv, io)).toBe(2)
        expect(printed).toEqual({ out: '', err: expect.stringContaining(reason) })
      },
    ),
  ).toEqual([])
})

test('a port in use ends the proxy with one line', async () => {
  const { io, printed } = createTestIo()
  expect(await runProxy([...BASE, '--port', new URL(portal.base).port], io)).toBe(2)
  expect(printed.err).toMatch(/^contracts:proxy: port \d+ is not available: .+\n$/)
})

test('--help of both programs shows examples', async () => {
  for (const [name, program] of Object.entries({ check: runCheck, proxy: runProxy })) {
    const { io, printed } = createTestIo()
    expect(await program(['--help'], io)).toBe(0)
    expect(printed.out).toContain(`npx whereabouts contracts ${name} --base http`)
  }
})
