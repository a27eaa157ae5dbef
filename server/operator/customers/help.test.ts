import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { devices } from '#db/schema/devices.ts'
import { renderMail } from '#server/mail/mail-render.ts'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { keyMailedTo, mailsTo as listMailsTo } from '#server/test/test-mail.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const API = '/operator/api/customers/'
const SIGN_IN = '/api/v1/auth/web_get_token/'
const { rex, misty } = SEED.devices

let portal: Portal
let nora: Record<string, string>
let account: number
beforeEach(async () => {
  portal = await startPortal()
  nora = await signInStaffAs(portal.world, { email: 'nora@shop.example', name: 'Nora King', role: 'support' })
  account = (await portal.call(null, 'GET', `${API}?q=${ALICE}`, undefined, nora)).body.customers[0].account
  return () => portal[Symbol.asyncDispose]()
})

const help = (deed: string, body?: object, headers = {}) =>
  portal.call(null, 'POST', `${API}${account}/${deed}/`, body, { ...nora, ...headers })
const securityLog = async () =>
  (await portal.call(ALICE, 'GET', '/users/security_log/')).body.entries as { kind: string; who: string; about: string }[]
const mailsTo = async (email: string) =>
  ((await portal.call(null, 'GET', `/mock/mail?to=${email}`)).body as { template: string }[]).map(({ template }) => template)
const trackerOf = async (id: number) =>
  (await portal.call(null, 'GET', `${API}${account}/`, undefined, nora)).body.trackers.find((one: { id: number }) => one.id === id)
const change = (id: number, values: Partial<typeof devices.$inferInsert>) =>
  portal.world.db.write([], (tx) => tx.update(devices).set(values).where(eq(devices.id, id)))
const inDays = (days: number) => new Date(portal.clock.now().getTime() + days * 86_400_000)

test('ending all sessions signs the owner out at once, and the log of the owner says who did it', async () => {
  expect((await portal.call(ALICE, 'GET', '/users/me/')).status).toBe(200)
  const token = await portal.token(ALICE)
  expect(await help('sessions/end')).toMatchObject({ status: 200, body: { ended: expect.any(Number) } })
  const { status } = await portal.call(null, 'GET', '/users/me/', undefined, { authorization: `Bearer ${token}` })
  expect(status).toBe(401)
  const { body } = await portal.call(null, 'GET', `${API}${account}/`, undefined, nora)
  expect(body).toMatchObject({ people: [{ sessions: [] }], deeds: [{ kind: 'sessions_ended', who: 'Nora King', subject: ALICE }] })
})

test('after too many wrong passwords the right one works again once support has unlocked the account', async () => {
  const signIn = (password: string) => portal.call(null, 'POST', SIGN_IN, { username: ALICE, password })
  for (let attempt = 0; attempt < 10; attempt++) await signIn('wrong')
  expect((await signIn(DEMO_PASSWORD)).status).toBe(429)
  expect((await help('unlock')).status).toBe(200)
  expect((await signIn(DEMO_PASSWORD)).status).toBe(200)
  expect(await securityLog()).toContainEqual(expect.objectContaining({ kind: 'sign_in_unlocked', who: 'Nora King' }))
})

test('an account is made one of a team once; its owner signs in again as the administrator', async () => {
  const zoe = 'zoe@example.com'
  const found = (await portal.call(null, 'GET', `${API}?q=${zoe}`, undefined, nora)).body.customers[0].account
  const make = () => portal.call(null, 'POST', `${API}${found}/pro/`, {}, nora)
  const token = await portal.token(zoe)
  expect(await make()).toMatchObject({ status: 200, body: { account: found } })
  expect((await portal.call(null, 'GET', '/users/me/', undefined, { authorization: `Bearer ${token}` })).status).toBe(401)
  const { body } = await portal.call(null, 'POST', SIGN_IN, { username: zoe, password: DEMO_PASSWORD })
  expect(body.user).toMatchObject({ email: zoe, role: 'admin' })
  expect(await make()).toMatchObject({ status: 409, body: { code: 'already_active' } })
})

test('given months count from the end of a running subscription; the owner gets a mail and a line in the log', async () => {
  await change(misty, { subState: 'active', subEndDate: new Date('2026-08-31T10:00:00Z') })
  expect(await help('months', { tracker: misty, months: 6 })).toMatchObject({ status: 200, body: { sub_end_date: '2027-02-28T10:00:00Z' } })
  expect(await trackerOf(misty)).toMatchObject({ sub_end_date: '2027-02-28T10:00:00Z' })
  expect(await mailsTo(ALICE)).toContain('months_given')
  expect(await securityLog()).toContainEqual(expect.objectContaining({ kind: 'months_given', about: 'Misty', who: 'Nora King' }))
})

test('given months count from now for a subscription that has ended, and the tracker is in service again', async () => {
  await change(misty, { subState: 'ended', subEndDate: inDays(-100) })
  const { body } = await help('months', { tracker: misty, months: 1 })
  expect(new Date(body.sub_end_date) > inDays(27)).toBe(true)
  expect(await trackerOf(misty)).toMatchObject({ sub_state: 'active', service: 'in_service' })
})

test('months are refused for a tracker without a subscription, one that renews, one without an end, and one of another account', async () => {
  await change(misty, { subState: 'none', subEndDate: null })
  expect(await help('months', { tracker: misty, months: 1 })).toMatchObject({ status: 409, body: { code: 'subscription_required' } })
  await change(misty, { subState: 'active', subEndDate: null })
  expect(await help('months', { tracker: misty, months: 1 })).toMatchObject({ status: 400, body: { code: 'no_change' } })
  expect(await help('months', { tracker: rex, months: 1 })).toMatchObject({ status: 409, body: { code: 'recurring_active' } })
  expect((await help('months', { tracker: SEED.devices.george, months: 1 })).status).toBe(404)
  expect(await help('months', { tracker: misty, months: 37 })).toMatchObject({
    status: 400,
    body: { errors: { months: [expect.any(String)] } },
  })
})

test('a repeat with the same Idempotency-Key gives no further months', async () => {
  await change(misty, { subState: 'active', subEndDate: inDays(10) })
  const give = () => help('months', { tracker: misty, months: 1 }, { 'idempotency-key': 'ticket-7' })
  expect((await give()).body).toEqual((await give()).body)
})

test('the confirmation mail is sent again until the address is confirmed, and the mail for a new password at any time', async () => {
  expect(await help('resend', { mail: 'confirmation' })).toMatchObject({ status: 400, body: { code: 'no_change' } })
  expect(await help('resend', { mail: 'password' })).toMatchObject({ status: 200, body: { email: ALICE } })
  expect(await mailsTo(ALICE)).toContain('password_reset')
  for (let mail = 1; mail < 5; mail++) await help('resend', { mail: 'password' })
  expect((await help('resend', { mail: 'password' })).status).toBe(429)
  expect((await help('resend', { mail: 'password', user: 987_654 })).status).toBe(404)
})

const NEW = 'alice.new@example.com'
const startChange = (body: object = {}) => help('email', { email: NEW, reason: 'Old mailbox closed', ...body })
const confirmChange = async () =>
  portal.call(null, 'POST', '/users/change_email/confirm/', { key: await keyMailedTo(portal.world, NEW, 'change_email') })

test('a change of e-mail by support holds once the new address is confirmed, and ends all sessions', async () => {
  const token = await portal.token(ALICE)
  const me = () => portal.call(null, 'GET', '/users/me/', undefined, { authorization: `Bearer ${token}` })
  expect(await startChange()).toMatchObject({ status: 200, body: { email: NEW } })
  expect((await me()).body).toMatchObject({ email: ALICE })
  expect(await securityLog()).toContainEqual(expect.objectContaining({ kind: 'email_change_started', who: 'Nora King', about: NEW }))
  expect(await confirmChange()).toMatchObject({ status: 200, body: { email: NEW } })
  expect((await me()).status).toBe(401)
  const { body } = await portal.call(null, 'GET', `${API}${account}/`, undefined, nora)
  expect(body).toMatchObject({
    email: NEW,
    deeds: [{ kind: 'email_change_started', subject: ALICE, detail: { email: NEW, reason: 'Old mailbox closed' } }],
  })
})

test('the warning mail to the current address names support, and its link stops the change', async () => {
  await startChange()
  const [warning] = await listMailsTo(portal.world, ALICE, 'change_notice')
  expect(renderMail(warning!, portal.world).text).toContain('Support was asked to change the e-mail address')
  const stop = await keyMailedTo(portal.world, ALICE, 'change_notice')
  expect((await portal.call(null, 'POST', `/mail/keep-address/?language=en&key=${stop}`)).status).toBe(200)
  expect(await confirmChange()).toMatchObject({ status: 410, body: { code: 'expired' } })
  expect((await portal.call(ALICE, 'GET', '/users/me/')).body).toMatchObject({ email: ALICE })
})

test('support cannot change an e-mail to the present address, to one in use, without a reason, or a sixth time within an hour', async () => {
  expect(await startChange({ email: 'ALICE@example.com' })).toMatchObject({ status: 400, body: { code: 'no_change' } })
  expect(await startChange({ email: 'bruno@example.com' })).toMatchObject({ status: 409, body: { code: 'email_exists' } })
  expect(await startChange({ reason: '' })).toMatchObject({ status: 400, body: { errors: { reason: [expect.any(String)] } } })
  expect((await startChange({ user: 987_654 })).status).toBe(404)
  for (let change = 0; change < 5; change++) expect((await startChange()).status).toBe(200)
  expect((await startChange()).status).toBe(429)
})

test('a repeated change of e-mail with the same Idempotency-Key mails one link', async () => {
  const start = () => help('email', { email: NEW, reason: 'Old mailbox closed' }, { 'idempotency-key': 'ticket-8' })
  expect((await start()).body).toEqual((await start()).body)
  expect((await mailsTo(NEW)).filter((template) => template === 'change_email')).toHaveLength(1)
})
