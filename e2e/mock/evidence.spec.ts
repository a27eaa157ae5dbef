import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { api } from '#contracts/index.ts'
import type { BodyOf } from '#contracts/lib/route.ts'
import { connect } from '#contracts/mock/connect.ts'
import type { control } from '#contracts/mock/index.ts'
import { expect, test } from '#e2e/portal.ts'

type Opened = BodyOf<typeof control.worlds.create>
type Result = { status: string; errors: { message: string }[]; attachments: { name: string; path: string }[] }
type Suite = { specs: { title: string; tests: { results: Result[] }[] }[]; suites?: Suite[] }

const PLAYWRIGHT = ['node_modules/@playwright/test/cli.js', 'test', '--config=e2e/failing', '--reporter=json']

/** Runs the tests that fail on purpose; returns their results by title. */
async function runFailing(server: string, output: string) {
  const { TEST_WORKER_INDEX, TEST_PARALLEL_INDEX, PLAYWRIGHT_JSON_OUTPUT_NAME, ...env } = process.env
  const report = await new Promise<string>((resolve) => {
    const options = { env: { ...env, WHEREABOUTS_URL: server }, maxBuffer: 1e8 }
    execFile(process.execPath, [...PLAYWRIGHT, `--output=${output}`], options, (_, said) => resolve(said))
  })
  const all = ({ specs, suites = [] }: Suite): Suite['specs'] => [...specs, ...suites.flatMap(all)]
  return Object.fromEntries(
    (JSON.parse(report) as { suites: Suite[] }).suites.flatMap(all).map((spec) => [spec.title, spec.tests[0]!.results[0]!]),
  )
}

/** Sends a line of the script as curl would. */
async function play(line: string) {
  const [url = ''] = line.match(/http[^']+/) ?? []
  const [, type = ''] = line.match(/content-type: ([^']+)/) ?? []
  const [, file] = line.match(/'@([^']+)'/) ?? []
  const [, json] = line.match(/-d '([^']+)'/) ?? []
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body: file ? readFileSync(file) : json! })
  expect(answer.status, line).toBe(201)
  return answer.json()
}

test('a failed test attaches its requests, its mails and its world, and a broken contract fails the test', async ({
  server,
  world,
}, info) => {
  const ended = await runFailing(server, info.outputPath('failing'))
  expect(Object.values(ended).map(({ status }) => status)).toEqual(['failed', 'failed', 'passed'])
  expect(ended['a broken contract']!.errors[0]!.message).toContain('GET /users/nobody/ (404): request: the API has no such call')

  const { attachments } = ended['a failing assertion']!
  expect(attachments.map(({ name }) => name).filter((name) => name !== 'error-context')).toEqual(['evidence.html', 'reopen.sh'])
  // Playwright copies attachments into a folder of their own.
  const folder = path.resolve(attachments.find(({ name }) => name === 'evidence.html')!.path, '../..')
  const textOf = (name: string) => readFileSync(path.join(folder, name), 'utf8')
  expect(textOf('journal.har')).toContain('"_route": "sessions.requestReset"')
  expect(JSON.parse(textOf('mails.json'))).toContainEqual(
    expect.objectContaining({ template: 'password_reset', links: [expect.stringContaining('reset_password')] }),
  )
  const page = textOf('evidence.html')
  expect(page).toContain('<h2>alice@example.com: ')
  expect(page).toMatch(/<td>20\d<\/td><td>POST<\/td><td>[^<]*password_reset/)
  for (const name of ['journal.har', 'mails.json', 'world.db']) expect(page).toContain(`<a download="${name}" href="data:`)

  const commands = textOf('reopen.sh').match(/^curl .*$/gm) ?? []
  expect(commands).toHaveLength(2)
  await play(commands[0]!)
  const { id, clock, personas } = (await play(commands[1]!)) as Opened
  expect(clock).toMatchObject({ now: '2026-03-03T09:00:00Z', mode: 'frozen' })
  const alice = connect(api, { base: server, world: id, token: personas.find(({ key }) => key === 'alice')!.token })
  expect(await alice.contacts.list({ query: {} })).toContainEqual(expect.objectContaining({ name: 'Seen last' }))
  await world.worlds.remove({ params: { id } })
  await world.snapshots.remove({ params: { name: id } })
})
