import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emailKeys } from '#db/schema/accounts.ts'
import { invoices, orders, paymentEvents, paymentTasks, verificationCodes } from '#db/schema/commerce.ts'
import { passkeys, recoveryCodes } from '#db/schema/factors.ts'
import { emails, pushBrowsers } from '#db/schema/messages.ts'
import { imports } from '#db/schema/positions.ts'
import { publicLinks } from '#db/schema/sharing.ts'
import { hashRecoveryCode } from '#server/accounts/factors/codes.ts'
import { claimPasskeyUse } from '#server/accounts/factors/factors.store.ts'
import { proveFactor } from '#server/accounts/factors/factors.ts'
import { createHandOff } from '#server/accounts/sessions/hand-off.ts'
import { queueTasks } from '#server/billing/records/payment-tasks.store.ts'
import { insertEvents } from '#server/billing/records/payments.store.ts'
import { addPaidOrder } from '#server/billing/records/subscriptions.store.ts'
import { runTasks } from '#server/billing/sync/payment-worker.ts'
import { syncCustomer } from '#server/billing/sync/sync-customer.ts'
import { countAttempt } from '#server/http/access/limits.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { createDispatcher } from '#server/mail/mail-dispatch.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { CODES } from '#server/mock/seed/records/seed-secrets.ts'
import { issueKey } from '#server/outbox/mail-keys.ts'
import { queueMail } from '#server/outbox/outbox.store.ts'
import { startTwoServers } from '#server/test/postgres/two-servers.ts'
import { BUYER, buyerContext, openCheckout, payCheckout } from '#server/test/test-payments-world.ts'
import { ingest } from '#server/tracking/ingest/ingest.ts'

const [ALICE, BRUNO, VICTOR] = ['alice@example.com', 'bruno@example.com', 'victor@example.com']
const { rex, misty, cityBike, familyCar, kitchen, coldBox, newTracker } = SEED.devices
const RACERS = 16
const times = <T>(make: (nth: number) => T, count = RACERS) => Array.from({ length: count }, (_, nth) => make(nth))

let servers: Awaited<ReturnType<typeof startTwoServers>>
beforeAll(async () => {
  servers = await startTwoServers()
})
afterAll(() => servers[Symbol.asyncDispose]())

const read = () => servers.worlds[0].db.read
const worldOf = (nth: number) => servers.worlds[nth % 2]!
const outcomes = async (work: (nth: number) => Promise<unknown>, count = RACERS) => {
  const settled = await Promise.allSettled(times(work, count))
  return settled.filter(({ status }) => status === 'fulfilled').length
}

test('simultaneous requests leave a tracker with five public links', async () => {
  const link = { label: 'Race', end_date: '2026-03-09T09:00:00Z' }
  await servers.race(times(() => [ALICE, 'POST', `/devices/${misty}/public_share_link/`, link]))
  expect(await read().$count(publicLinks, eq(publicLinks.deviceId, misty))).toBe(5)
})

test('simultaneous requests leave a tracker with five device keys', async () => {
  expect(await servers.race(times(() => [ALICE, 'POST', `/devices/${misty}/keys/`, { label: 'Phone' }]))).toEqual({
    201: 5,
    too_many_keys: 11,
  })
})

test('simultaneous requests leave an account with ten network keys', async () => {
  const counts = await servers.race(times(() => [BRUNO, 'POST', '/devices/network_keys/', { label: 'Network' }]))
  expect(counts).toEqual({ 201: 10, too_many_keys: 6 })
})

test('simultaneous requests leave a user with twenty API tokens', async () => {
  const token = { label: 'Race', scopes: ['trackers:read'], devices: null, until: null }
  const counts = await servers.race(times(() => [BRUNO, 'POST', '/users/tokens/', token], 24))
  expect(counts).toEqual({ 201: 20, limit_reached: 4 })
})

test('of simultaneous tags with the same name one is created', async () => {
  expect(await servers.race(times(() => [ALICE, 'POST', '/tracker_tags/', { name: 'Race' }]))).toEqual({ 201: 1, tag_exists: 15 })
})

test('of simultaneous contacts with the same address one is created', async () => {
  const contact = { name: 'Race', email: 'race@example.org' }
  expect(await servers.race(times(() => [ALICE, 'POST', '/tracker_contacts/', contact]))).toEqual({ 201: 1, contact_exists: 15 })
})

test('a browser that two accounts subscribe simultaneously belongs to one of them', async () => {
  const keys = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  const browser = { endpoint: 'https://push.example.net/race', keys }
  expect(await servers.race(times((nth) => [nth % 4 < 2 ? ALICE : VICTOR, 'PUT', '/users/push/', browser]))).toEqual({ 200: 16 })
  expect(await read().$count(pushBrowsers, eq(pushBrowsers.endpoint, browser.endpoint))).toBe(1)
})

test('of simultaneous theft reports for a tracker one is opened', async () => {
  const report = { date: '2026-03-02T07:30:00Z', address: 'Terminal', description: 'The lock was cut.' }
  expect(await servers.race(times(() => [ALICE, 'POST', `/devices/${cityBike}/theft_report/`, report]))).toEqual({ 201: 1, theft_open: 15 })
})

test('of simultaneous claims for a care plan one is opened', async () => {
  const claim = { reason: 'broken', description: 'It fell.', delivery: 'Alice' }
  expect(await servers.race(times(() => [ALICE, 'POST', `/devices/${familyCar}/care_claim/`, claim]))).toEqual({ 201: 1, claim_open: 15 })
})

test('simultaneous wrong serials use up exactly three attempts of each account', async () => {
  const wrong = { identifier: '80000000-01', serial: 'VICTOR999999' }
  expect(await servers.race(times((nth) => [nth % 3 ? ALICE : BRUNO, 'POST', '/devices/trackers/serial_check/', wrong]))).toEqual({
    serial_mismatch: 4,
    serial_locked: 12,
  })
})

test('of simultaneous unlink requests for a tracker one becomes the pending one', async () => {
  const request = { identifier: '80000000-02', email: ALICE, reason: 'bought_used' }
  expect(await servers.race(times((nth) => [nth % 3 ? ALICE : BRUNO, 'POST', '/devices/trackers/unlink_request/', request]))).toEqual({
    201: 1,
    request_pending: 15,
  })
})

test('a tracker that two accounts add simultaneously goes to one of them', async () => {
  const tracker = { name: 'Race', kind: 'dog', identifier: '90000000-03' }
  expect(await servers.race(times((nth) => [nth % 3 ? ALICE : BRUNO, 'POST', '/devices/trackers/', tracker]))).toEqual({
    201: 1,
    identifier_taken: 15,
  })
})

test('a network number set for two trackers simultaneously goes to one of them', async () => {
  const numbers = { imei: '490154203237518', dev_eui: null, sigfox: null }
  const paths = [`/devices/${rex}/network_numbers/`, `/devices/${SEED.devices.victorFree}/network_numbers/`]
  const counts = await servers.race(times((nth) => [nth % 4 < 2 ? ALICE : VICTOR, 'PUT', paths[nth % 4 < 2 ? 0 : 1]!, numbers]))
  expect(counts).toEqual({ 200: 8, identifier_taken: 8 })
})

test('simultaneous calls activate a tracker once', async () => {
  expect(await servers.race(times(() => [ALICE, 'POST', `/devices/${newTracker}/activate/`]))).toEqual({ 204: 1, not_activatable: 15 })
})

test('a code sent for two trackers simultaneously links one subscription', async () => {
  const path = (device: number) => `/devices/${device}/activate_subscription/?code=${CODES.valid}`
  expect(await servers.race(times((nth) => [ALICE, 'GET', path(nth % 4 < 2 ? kitchen : coldBox)]))).toEqual({ 200: 8, no_subscription: 8 })
  const [code] = await read().select().from(verificationCodes).where(eq(verificationCodes.code, CODES.valid))
  expect([kitchen, coldBox]).toContain(code?.deviceId)
})

test('of simultaneous registrations with an address one succeeds', async () => {
  const user = { email: 'race@example.net', password: 'Fresh-1234', first_name: 'Nina', last_name: 'Novak' }
  expect(await servers.race(times(() => [null, 'POST', '/users/register', user], 8))).toEqual({ 201: 1, email_exists: 7 })
})

test("of simultaneous requests for a copy of the user's data one starts", async () => {
  const {
    export_running: refused = 0,
    account_busy: sentAway = 0,
    ...begun
  } = await servers.race(times(() => [BRUNO, 'POST', '/users/export/'], 8))
  expect([begun, refused + sentAway]).toEqual([{ 201: 1 }, 7])
})

test('a mailed key for a new password works once', async () => {
  const [world] = servers.worlds
  const [user] = await world.db.read.query.users.findMany({ where: (row, { eq: is }) => is(row.email, 'dario@example.com') })
  const key = await world.db.write([], (tx) => issueKey(tx, world, { userId: user!.id, kind: 'reset' }))
  const body = { key, new_password: 'Another-1234' }
  expect(await servers.race(times(() => [null, 'POST', '/users/password_reset/confirm/', body], 8))).toEqual({ 200: 1, expired: 7 })
  const [row] = await read()
    .select()
    .from(emailKeys)
    .where(eq(emailKeys.hash, sha256(key)))
  expect(row?.usedAt).not.toBeNull()
})

test('a hand-off code opens one session', async () => {
  const [world] = servers.worlds
  const { code } = await createHandOff(world, sha256(await servers.portal.token(ALICE)), 60_000)
  const counts = await servers.race(times(() => [null, 'POST', '/api/v1/auth/hand_off/redeem/', { hand_off: code }]))
  expect([counts[200], counts.expired]).toEqual([1, 15])
})

test('a recovery code works once', async () => {
  const { userId } = buyerContext(worldOf(0)).viewer
  const hash = hashRecoveryCode('abcd-efgh-ijkl')
  await worldOf(0).db.write([], (tx) => tx.insert(recoveryCodes).values({ hash, userId }))
  const proof = { recovery_code: 'abcd-efgh-ijkl' }
  const use = (nth: number) =>
    proveFactor({ ...buyerContext(worldOf(nth)), limits: { credentials: false } }, { userId, challenge: undefined, proof }, async () => {})
  expect(await outcomes(use)).toBe(1)
})

test('a passkey with the same counter is accepted once', async () => {
  const { userId } = buyerContext(worldOf(0)).viewer
  const row = { userId, credentialId: 'race', publicKey: '', counter: 4, transports: null, name: 'Key', createdAt: new Date(0) }
  const [{ id } = { id: 0 }] = await worldOf(0).db.write([], (tx) => tx.insert(passkeys).values(row).returning())
  const use = (nth: number) => worldOf(nth).db.write([], (tx) => claimPasskeyUse(tx, { id, counter: 5, now: new Date(1) }))
  expect((await Promise.all(times(use))).filter(Boolean)).toHaveLength(1)
})

test('simultaneous attempts are counted one by one', async () => {
  const limit = { max: 5, windowMinutes: 60 }
  const now = worldOf(0).clock.now()
  const attempt = (nth: number) => worldOf(nth).db.write(['throttle:race'], (tx) => countAttempt(tx, 'race', limit, now))
  expect(await outcomes(attempt, 32)).toBe(5)
})

test('simultaneous orders of several accounts get different numbers', async () => {
  const order = { date: new Date(0), currency: 'eur', total: 100, tax: null, status: 'in_progress' as const, lines: [], providerId: null }
  const before = await read().$count(orders)
  const buy = (nth: number) =>
    worldOf(nth).db.write([`account:${1 + (nth % 2)}`], (tx) => addPaidOrder(tx, { ...order, accountId: 1 + (nth % 2) } as never))
  const bought = await Promise.all(times(buy, 32))
  expect(new Set(bought.map(({ number }) => number)).size).toBe(32)
  expect(await read().$count(orders)).toBe(before + 32)
})

test('a paid checkout is granted once, however many servers hear of it', async () => {
  const [world] = servers.worlds
  payCheckout(world, await openCheckout(world), '4242 4242 4242 4242')
  const [account] = await read().query.accounts.findMany({ where: (row, { eq: is }) => is(row.id, BUYER.accountId) })
  await Promise.all(times((nth) => syncCustomer(worldOf(nth), account!.stripeCustomer!)))
  expect(await read().$count(orders, eq(orders.accountId, BUYER.accountId))).toBe(1)
  expect(await read().$count(invoices, eq(invoices.accountId, BUYER.accountId))).toBe(1)
})

test('an event of the card provider is stored once', async () => {
  const event = { id: 'evt_race', type: 'invoice.paid', customer: null, charge: null }
  const receive = (nth: number) => worldOf(nth).db.write([], (tx) => insertEvents(tx, [event], new Date(0)))
  expect((await Promise.all(times(receive))).reduce((sum, count) => sum + count, 0)).toBe(1)
  expect(await read().$count(paymentEvents, eq(paymentEvents.id, 'evt_race'))).toBe(1)
})

test('a task at the card provider is executed by one server', async () => {
  const [world] = servers.worlds
  const refs = times((nth) => `sub_race_${nth}`)
  await world.db.write([], (tx) =>
    queueTasks(
      tx,
      refs.map((ref) => ({ kind: 'trim' as const, ref })),
      world.clock.now(),
    ),
  )
  const done: string[] = []
  async function retrieve(id: string) {
    done.push(id)
    return { status: 'canceled' }
  }
  const stripe = { subscriptions: { retrieve } }
  const at = (nth: number) => ({ ...worldOf(nth), payments: { ...world.payments, stripe: stripe as never } })
  await Promise.all(times((nth) => runTasks(at(nth)), 4))
  expect(done.filter((ref) => refs.includes(ref)).sort()).toEqual(refs.sort())
  expect(await read().$count(paymentTasks)).toBe(0)
})

test('a mail is sent by one server', async () => {
  const [world] = servers.worlds
  await world.db.write([], async (tx) => {
    const mail = { template: 'confirm_email', language: 'en', data: { key: 'k' }, now: world.clock.now() } as const
    for (const nth of times((each) => each, 30)) await queueMail(tx, { ...mail, to: `race${nth}@example.org` })
  })
  const sent: string[] = []
  const sender = {
    close() {},
    async sendMail({ to }: { to?: unknown }) {
      sent.push((to as { address: string }).address)
      return {} as never
    },
  }
  const dispatchers = times((nth) => createDispatcher(() => worldOf(nth), { sender }), 4)
  for (let round = 0; round < 4; round++) await Promise.all(dispatchers.map((dispatcher) => dispatcher.run()))
  const raced = sent.filter((address) => /^race\d/.test(address))
  expect(raced).toHaveLength(30)
  expect(new Set(raced).size).toBe(30)
  expect(await read().$count(emails, eq(emails.sentAt, world.clock.now()))).toBeGreaterThanOrEqual(30)
})

test('an item of a job is executed by one server', async () => {
  const now = new Date(worldOf(0).clock.now().getTime() + 400 * 86_400_000)
  const fired = await Promise.all(times((nth) => runDue(worldOf(nth), now), 4))
  const refs = fired.flat().flatMap(({ kind, ref }) => (kind === 'subscription_end' ? [ref] : []))
  expect(refs.length).toBeGreaterThan(0)
  expect(new Set(refs).size).toBe(refs.length)
})

test('simultaneous messages of one tracker to both servers are all stored', async () => {
  const { positions } = worldOf(0).db
  const at = Math.floor(worldOf(0).clock.now().getTime() / 1000)
  const send = (nth: number) => {
    const datetime = new Date((at - nth) * 1000).toISOString()
    return ingest(worldOf(nth), { positions: [{ datetime, lat: -34.9, lng: -56.1, precision: 10 }] } as never, rex)
  }
  await Promise.all(times(send, 32))
  expect(await positions.count(rex, at - 31, at)).toBe(32)
  expect(await read().$count(imports)).toBe(0)
})
