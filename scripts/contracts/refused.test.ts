import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { check } from './check.ts'
import { proxy } from './proxy.ts'
import { ALICE, folder, listeningPortal, testIo } from './test-io.ts'

const BASE = ['--base', 'http://127.0.0.1:1']
const files = folder()
let portal: Awaited<ReturnType<typeof listeningPortal>>
beforeAll(async () => {
  portal = await listeningPortal()
  writeFileSync(files.at('rubbish.json'), '{"a":1}')
})
afterAll(async () => {
  await portal[Symbol.asyncDispose]()
  files[Symbol.dispose]()
})

test.each([
  [[], '--base is missing'],
  [['--base', 'api.tracker.example'], '--base api.tracker.example is no address'],
  [[...BASE, '--bass', 'x'], "Unknown option '--bass'"],
  [[...BASE, 'more'], 'Unexpected argument'],
  [[...BASE, '--email', 'a@b.example'], '--email and --password belong together'],
  [[...BASE, '--only', 'placez.*'], '--only placez.*: no call is named so'],
  [[...BASE, '--format', 'pdf'], '--format pdf: there are table, json, junit, html'],
  [[...BASE, '--format', 'table,json'], 'give all reports but one a file'],
  [[...BASE, '--max-rps', '0'], '--max-rps 0 is no number of calls a second'],
  [[...BASE, '--baseline', files.at('none.json')], 'is no report'],
  [[...BASE, '--baseline', files.at('rubbish.json')], 'is no report'],
  [[...BASE, '--clean-up', files.at('rubbish.json')], 'does not list what is to be cleaned up'],
  [BASE, "http://127.0.0.1:1 can't be reached: "],
])('a check that cannot run says why in a line: %j', async (argv, why) => {
  const { io, said } = testIo()
  expect(await check(argv, io)).toBe(2)
  expect(said).toEqual({ out: '', err: expect.stringContaining(why) })
  expect(said.err).toMatch(/^contracts:check: .+\n$/)
})

test.each([
  [
    'a wrong password',
    ['--email', 'alice@example.com', '--password', 'wrong'],
    'alice@example.com could not sign in: 401 invalid_credentials',
  ],
  ['a wrong token', ['--token', 'wrong'], 'The token is refused: 401 not_authenticated'],
  [
    'a report that has no place',
    ['--only', 'preflight.json', '--format', `json=${files.at('rubbish.json/x.json')}`],
    "x.json can't be written: ",
  ],
  [
    'a server to compare with that lets nobody in',
    [...ALICE, '--parity', 'http://alice%40example.com:wrong@127.0.0.1:1'],
    "http://127.0.0.1:1 can't be reached: ",
  ],
  ['nobody to lose', [...ALICE, '--allow-destructive'], 'name the account that may be lost in CONTRACTS_DISPOSABLE'],
])('%s ends it with a line', async (_, argv, why) => {
  const { io, said } = testIo()
  expect(await check(['--base', portal.base, '--max-rps', '100000', ...argv], io)).toBe(2)
  expect(said.out).toBe('')
  expect(said.err).toMatch(/^contracts:check: .+\n$/)
  expect(said.err).toContain(why)
})

test.each([
  [[], '--base is missing'],
  [[...BASE, '--port', '70000'], '--port 70000 is no port'],
  [[...BASE, '--format', 'html'], '--format html: there are text, json'],
  [[...BASE, '--portal', 'nowhere'], '--portal nowhere holds no portal'],
])('a proxy that cannot run says why in a line: %j', async (argv, why) => {
  const { io, said } = testIo()
  expect(await proxy(argv, io)).toBe(2)
  expect(said).toEqual({ out: '', err: expect.stringContaining(why) })
})

test('a port in use ends the proxy with one line', async () => {
  const { io, said } = testIo()
  expect(await proxy([...BASE, '--port', new URL(portal.base).port], io)).toBe(2)
  expect(said.err).toMatch(/^contracts:proxy: port \d+ can't be listened to: .+\n$/)
})

test.each([
  ['contracts:check', check],
  ['contracts:proxy', proxy],
])('%s explains itself, with examples', async (name, program) => {
  const { io, said } = testIo()
  expect(await program(['--help'], io)).toBe(0)
  expect(said.out).toContain(`npm run ${name} -- --base http`)
})
