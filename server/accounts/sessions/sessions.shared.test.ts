import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PostgresDb } from '#db/postgres/open.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startTwoServers } from '#server/test/postgres/two-servers.ts'

const ALICE = 'alice@example.com'
const { rex } = SEED.devices

let servers: Awaited<ReturnType<typeof startTwoServers>>
let token = ''
beforeEach(async () => {
  servers = await startTwoServers()
  token = await signInAs(servers.worlds[0], ALICE)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await servers[Symbol.asyncDispose]()
})

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
const call = (server: 0 | 1, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: object, secret = token) =>
  servers.apps[server].inject({ method, url, headers: bearer(secret), ...(payload && { payload }) })
const listTrackers = (secret = token) => call(1, 'GET', '/devices/?type=tracker', undefined, secret)
const query = (text: string, values: unknown[] = []) => (servers.worlds[0].db as unknown as PostgresDb).connections.pool.query(text, values)

/** Delays the first answers of the database to the second server after they were read, so that they are outdated when they arrive. */
function holdAnswers(pattern: RegExp) {
  const { pool } = (servers.worlds[1].db as unknown as PostgresDb).connections
  const ask = pool.query.bind(pool) as (...args: unknown[]) => Promise<never>
  let release = () => {}
  let hasRead = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const read = new Promise<void>((resolve) => (hasRead = resolve))
  let held = 0
  vi.spyOn(pool, 'query').mockImplementation((async (...args: unknown[]) => {
    const answer = await ask(...args)
    if (held === 0 && pattern.test(JSON.stringify(args[0]))) {
      held++
      hasRead()
      await released
    }
    return answer
  }) as never)
  return { release, read }
}

test.each<[what: string, change: () => Promise<unknown>]>([
  ['its user signs out', () => call(0, 'DELETE', '/api/v1/auth/web_get_token/')],
  ['its user signs out everywhere', () => query('delete from tokens')],
  ['its account is deleted', () => query('delete from accounts where id = (select account_id from users where email = $1)', [ALICE])],
  ['it expires', () => query('update tokens set expires_at = 0')],
])('a request that begins after %s is refused by a server whose earlier look-up is still under way', async (_, change) => {
  const { read, release } = holdAnswers(/from \\"tokens\\"/)
  const earlier = listTrackers()
  await read
  await change()
  const later = [listTrackers(), listTrackers()]
  release()
  expect((await Promise.all(later)).map(({ statusCode }) => statusCode)).toEqual([401, 401])
  await earlier
  expect((await listTrackers()).statusCode).toBe(401)
})

test('a request that begins after a role was changed has the new role, also if an earlier look-up is still under way', async () => {
  const { read, release } = holdAnswers(/from \\"tokens\\"/)
  const earlier = listTrackers()
  await read
  await query(`update users set role = 'deepsupport' where email = $1`, [ALICE])
  const later = [listTrackers(), listTrackers()]
  release()
  const [own, all, allAgain] = (await Promise.all([earlier, ...later])).map((list) => list.json().length)
  expect(all).toBeGreaterThan(own)
  expect(allAgain).toBe(all)
})

test('a list that is requested after a write shows it, also if an earlier query for versions is still under way', async () => {
  await listTrackers()
  const { read, release } = holdAnswers(/ordinality/)
  const earlier = listTrackers()
  await read
  expect((await call(0, 'PATCH', `/devices/${rex}/`, { name: 'Rexona' })).statusCode).toBe(200)
  const later = [listTrackers(), listTrackers()]
  // Their sessions are found with the next look-up, so that they now wait for versions.
  await call(1, 'GET', '/users/me/')
  release()
  const names = (await Promise.all(later)).map((list) => list.json().find(({ id }: { id: number }) => id === rex).name)
  expect(names).toEqual(['Rexona', 'Rexona'])
  await earlier
})

test('users who request their lists at the same time get their own trackers, each with what they have hidden', async () => {
  const emails = [ALICE, 'member@pro.example.com', 'support@example.com', 'bob@example.com', ALICE]
  const { rows: known } = await query('select email from users where email = any($1)', [emails])
  const asking = emails.filter((email) => known.some((row) => row.email === email))
  const secrets = await Promise.all(asking.map((email) => signInAs(servers.worlds[0], email)))
  await query('insert into hidden_devices (user_id, device_id) select id, $2 from users where email = $1 on conflict do nothing', [
    ALICE,
    rex,
  ])
  const alone: string[] = []
  for (const secret of secrets) alone.push((await listTrackers(secret)).body)
  const together = await Promise.all(secrets.map(async (secret) => (await listTrackers(secret)).body))
  expect(together).toEqual(alone)
  expect(new Set(alone).size).toBe(new Set(asking).size)
  expect(JSON.parse(alone[0]!).find(({ id }: { id: number }) => id === rex).visible).toBe(false)
})

test('an unknown session is refused beside valid ones', async () => {
  const answers = await Promise.all([listTrackers(), listTrackers('unknown'), listTrackers(), listTrackers('other')])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 401, 200, 401])
})
