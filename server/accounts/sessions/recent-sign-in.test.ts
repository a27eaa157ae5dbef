import { expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { SEED_FACTOR } from '#server/mock/seed/records/second-factor.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const ADMIN = 'admin@pro.example.com'
/** The seed gives her a second factor. */
const GUARDED = 'newcomer@pro.example.com'
const REFUSED = { status: 403, body: { code: 'sign_in_again' } }

const member = `/users/team/${SEED.users.withoutDevices}/`
const CALLS: [string, string, string, object?][] = [
  [ALICE, 'POST', `/devices/${SEED.devices.rex}/keys/`, { label: 'Phone' }],
  [ALICE, 'POST', '/devices/network_keys/', { label: 'Helium' }],
  [ALICE, 'POST', '/users/passkeys/options/'],
  [ADMIN, 'POST', '/users/team/', { email: 'lena@pro.example.com', first_name: 'Lena', last_name: 'L', devices: [] }],
  [ADMIN, 'PATCH', member, { first_name: 'Nele' }],
  [ADMIN, 'POST', `/users/team/${SEED.users.invited}/resend_invitation/`, {}],
  [ADMIN, 'DELETE', member],
  [ALICE, 'DELETE', '/users/me/?profile=all'],
]

const wait = (portal: Portal, minutes: number) => portal.clock.set({ at: new Date(portal.clock.now().getTime() + minutes * 60_000) })

async function openOldSession(portal: Portal, email: string) {
  const headers = { authorization: `Bearer ${await portal.token(email)}` }
  wait(portal, 10)
  return (method: string, url: string, body?: object) => portal.call(null, method, url, body, headers)
}

const confirmWith = (body: object) => ['POST', '/users/sessions/confirm/', body] as const

test('calls that could cost the account need a sign-in within ten minutes, and work again once the password confirms the session', async () => {
  await using portal = await startPortal()
  const failures = await collectFailures(
    CALLS,
    ([, method, url]) => `${method} ${url}`,
    async ([email, method, url, body]) => {
      const call = await openOldSession(portal, email)
      expect(await call(method, url, body)).toMatchObject(REFUSED)
      expect(await call(...confirmWith({ password: DEMO_PASSWORD }))).toMatchObject({ status: 200 })
      expect((await call(method, url, body)).status).toBeLessThan(300)
    },
  )
  expect(failures).toEqual([])
})

test('a confirmation counts for ten minutes of its own session', async () => {
  await using portal = await startPortal()
  const [here, elsewhere] = [await openOldSession(portal, ALICE), await openOldSession(portal, ALICE)]
  const { body } = await here(...confirmWith({ password: DEMO_PASSWORD }))
  expect(new Date(body.until).getTime() - portal.clock.now().getTime()).toBe(600_000)
  expect(await elsewhere('POST', '/users/passkeys/options/')).toMatchObject(REFUSED)
  wait(portal, 9)
  expect(await here('POST', '/users/passkeys/options/')).toMatchObject({ status: 200 })
  wait(portal, 1)
  expect(await here('POST', '/users/passkeys/options/')).toMatchObject(REFUSED)
})

test('a wrong password or code confirms nothing, and the password alone does not where there is a second factor', async () => {
  await using portal = await startPortal()
  const alice = await openOldSession(portal, ALICE)
  expect(await alice(...confirmWith({ password: 'wrong' }))).toMatchObject({ status: 400, body: { code: 'invalid_password' } })
  expect(await alice(...confirmWith({ code: '000000' }))).toMatchObject({ status: 400, body: { code: 'invalid_code' } })
  expect(await alice(...confirmWith({}))).toMatchObject({ status: 400, body: { code: 'validation_error' } })
  const guarded = await openOldSession(portal, GUARDED)
  expect(await guarded(...confirmWith({ password: DEMO_PASSWORD }))).toMatchObject({ status: 401, body: { code: 'second_factor' } })
  expect(await guarded('POST', '/users/passkeys/options/')).toMatchObject(REFUSED)
  expect(await guarded(...confirmWith({ recovery_code: SEED_FACTOR.recoveryCodes[0] }))).toMatchObject({ status: 200 })
  expect(await guarded('POST', '/users/passkeys/options/')).toMatchObject({ status: 200 })
})

test('a public link, to one tracker or several, needs a recent sign-in only if the user has a second factor', async () => {
  await using portal = await startPortal({ scenario: 'second_factor' })
  const link = ['POST', `/devices/${SEED.devices.rex}/public_share_link/`, { label: 'Walk', end_date: '2200-01-01T00:00:00Z' }] as const
  const several = { ...link[2], devices: [SEED.devices.rex, SEED.devices.misty] }
  const guarded = await openOldSession(portal, ALICE)
  expect(await guarded(...link)).toMatchObject(REFUSED)
  expect(await guarded('POST', '/tracker_public_share_links/', several)).toMatchObject(REFUSED)
  await using open = await startPortal()
  const free = await openOldSession(open, ALICE)
  expect((await free(...link)).status).toBe(201)
})

const NEW = 'kiwi tea at noon'
const passwordChange = { old_password: DEMO_PASSWORD, new_password: NEW }
const emailChange = { email: 'new@example.org', password: DEMO_PASSWORD }

test('a user with a second factor proves it before the password or the e-mail changes, and a user without one needs the password alone', async () => {
  await using portal = await startPortal()
  const guarded = await openOldSession(portal, GUARDED)
  expect(await guarded('POST', '/users/change_password/', passwordChange)).toMatchObject(REFUSED)
  expect(await guarded('POST', '/users/change_email/', emailChange)).toMatchObject(REFUSED)
  expect((await guarded(...confirmWith({ recovery_code: SEED_FACTOR.recoveryCodes[0] }))).status).toBe(200)
  expect((await guarded('POST', '/users/change_email/', emailChange)).status).toBe(200)
  expect((await guarded('POST', '/users/change_password/', passwordChange)).status).toBe(200)
  const free = await openOldSession(portal, ALICE)
  expect((await free('POST', '/users/change_email/', { ...emailChange, email: 'other@example.org' })).status).toBe(200)
  expect((await free('POST', '/users/change_password/', passwordChange)).status).toBe(200)
})

test('the session after a new password is as old as the previous one: it neither adds factors and tokens nor lives longer', async () => {
  await using portal = await startPortal()
  const call = await openOldSession(portal, ALICE)
  const { token } = (await call('POST', '/users/change_password/', passwordChange)).body
  const renewed = (method: string, url: string, body?: object) => portal.call(null, method, url, body, { authorization: `Bearer ${token}` })
  expect(await renewed('POST', '/users/passkeys/options/')).toMatchObject(REFUSED)
  expect(await renewed('POST', '/users/tokens/', { label: 'x', scopes: ['trackers:read'] })).toMatchObject(REFUSED)
  const [session] = (await renewed('GET', '/users/sessions/')).body
  expect(portal.clock.now().getTime() - Date.parse(session.created_at)).toBe(600_000)
  for (const days of [13, 13]) {
    wait(portal, days * 24 * 60)
    expect((await renewed('GET', '/users/me/')).status).toBe(200)
  }
  wait(portal, 4 * 24 * 60)
  expect((await renewed('GET', '/users/me/')).status).toBe(401)
})

test('a session that was confirmed stays confirmed after a new password', async () => {
  await using portal = await startPortal()
  const call = await openOldSession(portal, ALICE)
  await call(...confirmWith({ password: DEMO_PASSWORD }))
  const { token } = (await call('POST', '/users/change_password/', passwordChange)).body
  const create = () => portal.call(null, 'POST', '/users/passkeys/options/', undefined, { authorization: `Bearer ${token}` })
  expect((await create()).status).toBe(200)
  wait(portal, 10)
  expect(await create()).toMatchObject(REFUSED)
})

test('a challenge of an open session cannot complete a sign-in, and one of a sign-in cannot confirm a session', async () => {
  await using portal = await startPortal()
  const guarded = await openOldSession(portal, GUARDED)
  const code = { recovery_code: SEED_FACTOR.recoveryCodes[0] }
  for (const { body } of [
    await guarded('POST', '/users/second_factor/challenge/'),
    await guarded(...confirmWith({ password: DEMO_PASSWORD })),
  ])
    expect(await portal.call(null, 'POST', '/api/v1/auth/second_factor/', { challenge: body.challenge, ...code })).toMatchObject({
      status: 410,
    })
})
