import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { ROLES, rights } from '#contracts/lib/rights.ts'
import { SCOPES } from '#contracts/lib/scopes.ts'
import { users } from '#db/schema/accounts.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { getPersona, PRO_ACCOUNT_ID } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { endpoints } from '#server/test/examples/all.ts'
import { sendExample } from '#server/test/examples/send-example.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { queryRows, readStored } from '#server/test/test-database.ts'
import { endpointName, PERSON, pathWithUnknownIds, sharedPortal, signedIn } from './test-endpoints.ts'

const ALICE = PERSON.user
const portal = sharedPortal()
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('undeclared fields of a call change nothing, neither the role of a user nor the account', async () => {
  const account = PRO_ACCOUNT_ID
  const foreign = { account, account_id: account, accountId: account, user_id: 13, userId: 13, owner: 13, isPro: true, is_pro: true }
  const extra = { ...foreign, role: 'deepsupport', emailConfirmed: true, subState: 'active', isOffered: true, isLinkedToPro: true }
  await using one = await startPortal()
  let count = 0
  const readState = async (name: string, more: object) => {
    const world = await one.worlds.create({ id: `m${count++}`, seed: 1 })
    const headers = { 'x-world': world.id }
    const { status } = await sendExample(one.app, name, (key) => signInAs(world, getPersona(key).email), headers, more)
    const read = (query: string) => queryRows(world.db, query)
    const state = [
      status,
      await read('select id, account_id, role, email_confirmed from users order by id'),
      await read('select id, account_id, sub_state, is_linked_to_pro from devices order by id'),
      ...(await Promise.all(
        ['places', 'contacts', 'alerts', 'tags', 'orders'].map((table) =>
          read(`select account_id, count(*) from ${table} group by account_id order by account_id`),
        ),
      )),
    ]
    world.close()
    return state
  }
  const writing = signedIn.filter(({ example }) => example.body !== undefined && !(example.body instanceof Blob))
  expect(writing.length).toBeGreaterThan(30)
  const failures = await collectFailures(writing, endpointName, async ({ name }) => {
    expect(await readState(name, extra)).toEqual(await readState(name, {}))
  })
  expect(failures).toEqual([])
})

test('every call that needs a recent sign-in refuses an older session before it reads anything else', async () => {
  const sensitive = signedIn.filter(({ route }) => route.recentSignIn === 'always')
  expect(sensitive.length).toBeGreaterThan(8)
  const failures = await collectFailures(sensitive, endpointName, async ({ route }) => {
    const role = route.access[0]!
    using at = await portal.fresh(PERSON[role])
    at.world.clock.set({ at: new Date(at.world.clock.now().getTime() + 600_000) })
    const refused = await portal.call(null, route.method, pathWithUnknownIds(route), undefined, at.headers)
    expect(refused).toMatchObject({ status: 403, body: { code: 'sign_in_again' } })
  })
  expect(failures).toEqual([])
})

test('every call that creates a lasting secret, copies all data, or ends the account needs a recent sign-in', () => {
  const LASTING = [
    'apiTokens.create',
    'deviceKeys.create',
    'myData.create',
    'networkKeys.create',
    'passkeys.options',
    'secondFactor.startTotp',
    'users.erase',
  ]
  const always = endpoints.filter(({ route }) => route.recentSignIn === 'always').map(({ name }) => name)
  expect(always).toEqual(expect.arrayContaining(LASTING))
  const withFactor = endpoints.filter(({ route }) => route.recentSignIn === 'with_factor').map(({ name }) => name)
  expect(withFactor.sort()).toEqual(['confirmations.change', 'groupLinks.create', 'links.create', 'sessions.changePassword'])
})

test('a GET that changes something accepts no cookie, so that no link or picture elsewhere can trigger it', async () => {
  const changing = signedIn.filter(({ route }) => route.method === 'GET' && route.safety !== 'read')
  expect(changing.length).toBeGreaterThan(0)
  const failures = await collectFailures(changing, endpointName, async ({ route }) => {
    const cookie = `sessionid=${await portal.token(PERSON[route.access[0]!])}`
    expect((await portal.call(null, 'GET', pathWithUnknownIds(route), undefined, { cookie })).status).toBe(401)
  })
  expect(failures).toEqual([])
})

test('a change of role takes effect at the next call of an open session', async () => {
  for (const role of ROLES) {
    using at = await portal.fresh(ALICE)
    const list = async () => (await portal.call(null, 'GET', '/users/team/', undefined, at.headers)).status
    expect(await list()).toBe(403)
    await at.world.db.write('everything', (tx) => tx.update(users).set({ role }).where(eq(users.email, ALICE)))
    expect([role, await list()]).toEqual([role, rights.manageTeam.some((may) => may === role) ? 200 : 403])
  }
})

test('a sign-in ignores a session cookie chosen by another person', async () => {
  const chosen = '0'.repeat(40)
  const login = { username: ALICE, password: 'Demo-1234' }
  const headers = { cookie: `sessionid=${chosen}; csrftoken=${chosen}` }
  const { body } = await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', login, headers)
  expect(body.token).not.toBe(chosen)
  expect((await portal.call(null, 'GET', '/users/me/', undefined, { cookie: `sessionid=${chosen}` })).status).toBe(401)
})

test('no secret that the server returns is stored in the database', async () => {
  await using one = await startPortal()
  const token = await one.token(ALICE)
  const call = async (method: string, url: string, body?: object) => (await one.call(null, method, url, body, bearer(token))).body
  const secrets: string[] = [
    token,
    (await call('POST', '/users/tokens/', { label: 'x', scopes: [...SCOPES] })).token,
    (await call('POST', '/api/v1/auth/hand_off/')).hand_off,
    (await call('POST', `/devices/${SEED.devices.rex}/keys/`, {})).key,
    (await call('POST', '/devices/network_keys/', { label: 'x' })).key,
    (await call('POST', '/users/second_factor/totp/', {})).secret,
  ]
  const stored = await readStored(one.world.db)
  expect(secrets.map((secret) => [typeof secret, stored.includes(secret)])).toEqual(secrets.map(() => ['string', false]))
  expect(stored.includes('Demo-1234')).toBe(false)
})
