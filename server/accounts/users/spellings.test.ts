import { hash } from '@node-rs/argon2'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '#db/schema/accounts.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const STORED = 'anna@xn--mller-kva.example'
const SPELLINGS = [
  'anna@müller.example',
  'anna@mu\u0308ller.example',
  'Anna@MÜLLER.example',
  STORED,
  ' anna@müller.example\u200b',
  'anna＠müller.example',
]
const anna = { email: 'anna@müller.example', password: 'Fresh-123', first_name: 'Anna', last_name: 'Müller' }

const register = (portal: Portal, change: object = {}) => portal.call(null, 'POST', '/users/register', { ...anna, ...change })
const signIn = (portal: Portal, username: string, password = anna.password) =>
  portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username, password })
const inEverySpelling = (check: (spelling: string) => Promise<void>, spellings = SPELLINGS) =>
  collectFailures(spellings, JSON.stringify, check)

test('an account is found by every notation of its address, and no other can register with one', async () => {
  await using portal = await startPortal({ limits: { credentials: false } })
  expect((await register(portal)).body.user).toMatchObject({ email: STORED, username: STORED })
  const failures = await inEverySpelling(async (spelling) => {
    expect((await signIn(portal, spelling)).status).toBe(200)
    expect(await register(portal, { email: spelling })).toMatchObject({ status: 409, body: { code: 'email_exists' } })
    expect(await register(portal, { email: 'other@example.org', username: spelling })).toMatchObject({ status: 409 })
    expect((await portal.call(null, 'GET', `/mock/mail?to=${encodeURIComponent(spelling)}`)).body.length).toBe(1)
  })
  expect(failures).toEqual([])
})

test('an account stored with a Unicode domain is found by every notation of its address', async () => {
  await using portal = await startPortal({ limits: { credentials: false } })
  await register(portal)
  await portal.world.db.write([], (tx) => tx.update(users).set({ email: anna.email, username: anna.email }).where(eq(users.email, STORED)))
  const failures = await inEverySpelling(async (spelling) => {
    expect((await signIn(portal, spelling)).status).toBe(200)
    expect((await register(portal, { email: spelling })).status).toBe(409)
  })
  expect(failures).toEqual([])
})

test('resets, e-mail changes, invitations and contacts accept the address in every notation', async () => {
  await using portal = await startPortal({ limits: { credentials: false } })
  await register(portal)
  const countMails = async () => (await portal.call(null, 'GET', `/mock/mail?to=${STORED}&template=password_reset`)).body.length
  const failures = await inEverySpelling(async (email) => {
    const before = await countMails()
    expect((await portal.call(null, 'POST', '/users/password_reset/', { email })).status).toBe(200)
    expect(await countMails()).toBe(before + 1)
    const change = { email, password: 'Demo-1234' }
    expect(await portal.call(ALICE, 'POST', '/users/change_email/', change)).toMatchObject({ status: 409, body: { code: 'email_exists' } })
    const own = await portal.call(STORED, 'POST', '/users/change_email/', { email, password: anna.password })
    expect([own.status, Object.keys(own.body.errors)]).toEqual([400, ['email']])
    const invited = { email, first_name: 'A', last_name: 'M' }
    expect((await portal.call('admin@pro.example.com', 'POST', '/users/team/', invited)).status).toBe(409)
  })
  expect(failures).toEqual([])
  expect((await portal.call(ALICE, 'POST', '/tracker_contacts/', { name: 'Anna', email: SPELLINGS[0] })).body.email).toBe(STORED)
  expect(
    await inEverySpelling(async (email) => {
      expect((await portal.call(ALICE, 'POST', '/tracker_contacts/', { name: 'Anna', email })).status).toBe(409)
      expect((await portal.call('admin@pro.example.com', 'PATCH', '/users/settings/', { admin_email: email })).body.admin_email).toBe(
        STORED,
      )
    }),
  ).toEqual([])
})

test('an address with an invalid domain is refused', async () => {
  await using portal = await startPortal()
  const failures = await inEverySpelling(
    async (email) =>
      expect(await register(portal, { email })).toMatchObject({ status: 400, body: { errors: { email: expect.anything() } } }),
    ['a@\u0301.example', 'a@müller.example/b.example', 'a@mül ler.example', 'a@müller', 'a@', 'a\u0000@müller.example'],
  )
  expect(failures).toEqual([])
})

test('a password is accepted with its accents composed or not, for an old hash as for a new one', async () => {
  await using portal = await startPortal({ limits: { credentials: false } })
  const [composed, apart] = ['Pässwört-9', 'Pässwört-9'.normalize('NFD')]
  await register(portal, { password: apart })
  const checkBoth = async () => {
    for (const password of [composed, apart]) expect((await signIn(portal, STORED, password)).status).toBe(200)
    expect((await signIn(portal, STORED, 'Passwort-9')).status).toBe(401)
  }
  await checkBoth()
  for (const typed of [composed, apart]) {
    const passwordHash = await hash(typed)
    await portal.world.db.write([], (tx) => tx.update(users).set({ passwordHash }).where(eq(users.email, STORED)))
    await checkBoth()
  }
})

test('a non-breaking space from a keyboard does not change a password, even for an old hash', async () => {
  await using portal = await startPortal({ limits: { credentials: false } })
  await register(portal, { password: 'correct horse battery' })
  expect((await signIn(portal, STORED, 'correct\u00a0horse battery')).status).toBe(200)
  const passwordHash = await hash('correct\u00a0horse battery')
  await portal.world.db.write([], (tx) => tx.update(users).set({ passwordHash }).where(eq(users.email, STORED)))
  expect((await signIn(portal, STORED, 'correct\u00a0horse battery')).status).toBe(200)
})
