import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#contracts/rules/time.ts'
import { openSqlite } from '#db/sqlite/open.ts'
import { limits } from '#scripts/test-setup/limits.ts'
import { templateFile } from '#scripts/test-setup/template-file.ts'
import { startPostgres, type TestPostgres } from '#server/test/postgres/start-postgres.ts'
import { ANCHOR } from '#server/test/test-files.ts'
import { createInstallation, fillTemplates, findFreePort } from '#server/test/test-process.ts'
import { withClock } from './test-wrong-clock.ts'

type Installed = Awaited<ReturnType<typeof createInstallation>>

/** The difference between this machine's clock and that of the seeded database, in which it is a minute after the newest entry. */
const toSeed = () => ANCHOR.getTime() + 60_000 - Date.now()

async function startServer(installed: Installed, env: Record<string, string>) {
  const port = String(await findFreePort())
  const program = installed.start('server/main.ts', { PORT: port, LOG_LEVEL: 'info', ...env })
  await program.says('listening')
  const get = (url: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${url}`, init)
  return { ...program, get, ready: async () => (await get('/readyz')).json() }
}

const operate = (installed: Installed, env: Record<string, string>, ...args: string[]) =>
  installed.start('server/operator.ts', env, args).ended

/** Rows that a wrong clock would expire, remove or write. */
function countRows({ file }: Installed) {
  const db = openSqlite(file)
  const count = (sql: string) => Number(db.raw.prepare(sql).pluck().get())
  const counts = {
    positions: count('select count(*) from positions'),
    active: count("select count(*) from devices where sub_state = 'active'"),
    sessions: count('select count(*) from tokens'),
    mails: count('select count(*) from emails'),
    messages: count('select count(*) from devices where last_message_at is not null'),
  }
  db.close()
  return counts
}

/** Every protocol by which devices report, a call of a session, and a page opened from a mail. */
const CALLS: [url: string, init?: RequestInit][] = [
  ['/devices/ingest/', { method: 'POST', headers: { 'x-device-key': 'demo-device-key', 'content-type': 'application/json' }, body: '{}' }],
  ['/ingest/osmand?id=1&lat=1&lon=1'],
  ['/ingest/owntracks', { method: 'POST', body: '{}' }],
  ['/ingest/overland', { method: 'POST', body: '{}' }],
  ...['tts', 'chirpstack', 'thingpark', 'sigfox', 'traccar'].map((name): [string, RequestInit] => [
    `/ingest/${name}`,
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
  ]),
  ['/users/me/', { headers: { authorization: 'Bearer one' } }],
  ['/stripe/webhook/', { method: 'POST', body: '{}' }],
  ['/mail/stop/?account=1'],
]

test.each([
  ['400 days ahead', 400 * DAY_MS, 400 * 86_400],
  ['two hours behind', -2 * HOUR_MS, -7200],
])('a production server that starts with its clock %s accepts, ends, removes and mails nothing', async (_, shift, offset) => {
  using installed = await createInstallation()
  installed.seed()
  const before = countRows(installed)
  const server = await startServer(installed, withClock(toSeed() + shift))
  const response = await server.get('/readyz')
  expect([response.status, await response.json()]).toMatchObject([
    503,
    { status: 'clock not ready', clock: 'in doubt', reasons: [expect.stringContaining('clock accept')] },
  ])
  for (const [url, init] of CALLS) {
    const answer = await server.get(url, init)
    expect([url, answer.status, answer.headers.get('retry-after')]).toEqual([url, 503, '60'])
    expect(await answer.json()).toMatchObject({ code: 'unavailable' })
  }
  expect((await server.get('/')).status).toBe(200)
  server.signal('SIGTERM')
  const { code, out } = await server.ended
  expect([code, countRows(installed)]).toEqual([0, before])
  expect(out.match(/The clock of this server/g)).toHaveLength(1)
  expect(JSON.parse(out.split('\n').find((line) => line.includes('The clock of this server'))!).offset / offset).toBeCloseTo(1, 1)
})

test('a production server that was off for a week is ready once its clock is accepted, while it runs', async () => {
  using installed = await createInstallation()
  installed.seed()
  const env = withClock(toSeed() + 7 * DAY_MS)
  const server = await startServer(installed, env)
  expect(await server.ready()).toMatchObject({ status: 'clock not ready' })
  expect(await operate(installed, env, 'clock')).toMatchObject({ code: 0, out: expect.stringContaining('Newest entry of the database') })
  expect(await operate(installed, env, 'clock', 'accept')).toMatchObject({
    code: 0,
    out: expect.stringContaining('7 days after its newest'),
  })
  await expect.poll(server.ready, { timeout: limits.poll }).toMatchObject({ status: 'ready', clock: 'ok' })
})

test.each([
  ['the card provider has the same time', 7 * DAY_MS, 7 * DAY_MS],
  ['a row is from the future, and the card provider has the same time', -7 * DAY_MS, -7 * DAY_MS],
])('a production server starts by itself when %s', async (_, shift, outside) => {
  using installed = await createInstallation()
  installed.seed()
  const server = await startServer(installed, withClock(toSeed() + shift, toSeed() + outside))
  expect(await server.ready()).toMatchObject({ status: 'ready', clock: 'ok' })
})

test('a new production server is ready whatever its clock', async () => {
  using installed = await createInstallation()
  const server = await startServer(installed, withClock(-400 * DAY_MS))
  expect(await server.ready()).toMatchObject({ status: 'ready', clock: 'ok' })
})

describe('two servers on PostgreSQL', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.stop())

  test('a server whose clock is 400 days ahead of the database is not ready, and cannot accept its clock', async () => {
    await fillTemplates(postgres.url, [`wrong_clock=${templateFile()}`])
    const DATABASE_URL = Object.assign(new URL(postgres.url), { pathname: '/wrong_clock' }).href
    using installed = await createInstallation()
    const right = await startServer(installed, { ...withClock(0, 0), DATABASE_URL })
    expect(await right.ready()).toMatchObject({ status: 'ready' })
    const wrong = { ...withClock(400 * DAY_MS, 400 * DAY_MS), DATABASE_URL }
    const other = await startServer(installed, wrong)
    expect(await other.ready()).toMatchObject({
      status: 'clock not ready',
      reasons: [expect.stringContaining('400 days ahead of the clock of the database')],
    })
    expect(await operate(installed, wrong, 'clock', 'accept')).toMatchObject({ code: 1, out: expect.stringContaining('Not accepted') })
    expect(await right.ready()).toMatchObject({ status: 'ready' })
  })
})
