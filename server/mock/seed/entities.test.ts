import { verify } from '@node-rs/argon2'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { PLACE_RADIUS, PLACE_TYPES } from '#contracts/rules/geo/place.ts'
import { yearlyPrice } from '#contracts/rules/price.ts'
import { accounts, emailKeys, users } from '#db/schema/accounts.ts'
import { invoices, orders, paymentMethods, prices, verificationCodes } from '#db/schema/commerce.ts'
import { deviceKeys, hiddenDevices, sct2Params } from '#db/schema/devices.ts'
import { emails } from '#db/schema/messages.ts'
import { alertContacts, alerts, contacts, places } from '#db/schema/places.ts'
import { publicLinks, serialAttempts, theftReports, unlinkRequests } from '#db/schema/sharing.ts'
import { CONFLICTS } from '#server/mock/seed/records/conflicts.ts'
import { getPersona, PERSONAS } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { CODES, DEVICE_KEY, LINKS, SEED_KEYS, sha256 } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { ANCHOR, at, openSeeded } from './testing.ts'

const db = await openSeeded()
const rows = {
  users: await db.read.select().from(users),
  keys: await db.read.select().from(emailKeys),
  links: await db.read.select().from(publicLinks),
}
const alice = getPersona('alice').accountId
const ofAlice = <T extends { accountId: number }>(all: T[]) => all.filter(({ accountId }) => accountId === alice)

test('fifteen personas sign in with the same password', async () => {
  expect(PERSONAS.map(({ key }) => key)).toEqual(
    'alice bruno chloe dario erika george usha haruka olga victor zoe taken admin member support'.split(' '),
  )
  for (const { email, role, language } of PERSONAS) {
    expect(rows.users.find((user) => user.email === email)).toMatchObject({ role })
    expect(LANGUAGES).toContain(language)
  }
  const hashes = new Set(rows.users.map(({ passwordHash }) => passwordHash))
  expect(await verify(rows.users[0]!.passwordHash!, 'Demo-1234')).toBe(true)
  expect([...hashes].filter(Boolean)).toHaveLength(1)
})

test("only chloe is unconfirmed, haruka's name is in kanji, and the team has an admin e-mail", async () => {
  const unconfirmed = rows.users.filter(({ id, emailConfirmed }) => id <= PERSONAS.length && !emailConfirmed)
  expect(unconfirmed.map(({ email }) => email)).toEqual(['chloe@example.com'])
  expect(getPersona('haruka')).toMatchObject({ firstName: '春香', lastName: '山田' })
  expect((await db.read.select().from(accounts)).filter(({ isPro }) => isPro)).toMatchObject([{ adminEmail: 'fleet@pro.example.com' }])
})

test("dario's account owns nothing", () => {
  const { accountId } = getPersona('dario')
  for (const table of ['devices', 'places', 'alerts', 'contacts', 'tags', 'orders', 'invoices', 'payment_methods'])
    expect(db.raw.prepare(`select count(*) from ${table} where account_id = ?`).pluck().get(accountId)).toBe(0)
})

test('the e-mail keys belong to their personas, and only the valid ones have not expired', async () => {
  const table = [
    ['confirmValid', 'chloe', 'confirm', true],
    ['confirmExpired', 'chloe', 'confirm', false],
    ['confirmUsed', 'alice', 'confirm', false],
    ['changeValid', 'george', 'change', true],
    ['changeExpired', 'george', 'change', false],
    ['resetValid', 'zoe', 'reset', true],
    ['resetExpired', 'zoe', 'reset', false],
  ] as const
  expect(
    await collectFailures(
      table,
      ([name]) => name,
      ([name, owner, kind, isValid]) => {
        const key = rows.keys.find(({ hash }) => hash === sha256(SEED_KEYS[name]))
        expect(key).toMatchObject({ userId: getPersona(owner).id, kind })
        expect(key!.expiresAt > ANCHOR).toBe(isValid)
        expect(key!.usedAt !== null).toBe(name === 'confirmUsed')
      },
    ),
  ).toEqual([])
})

test('R-4.19 the verification codes are seeded and the outbox contains the mail with the valid one', async () => {
  expect(await db.read.select().from(verificationCodes)).toMatchObject([
    { code: CODES.valid, months: 12, extra: 1, usedAt: null },
    { code: CODES.used, deviceId: SEED.devices.familyCar },
    { code: CODES.withoutSubscription, months: null },
  ])
  expect(await db.read.select().from(emails)).toMatchObject([{ to: 'alice@example.com', data: { code: 'LINK2026' } }])
})

test('alice has one place of each type, with the smallest and the largest radius', async () => {
  const mine = ofAlice(await db.read.select().from(places))
  expect(mine.map(({ type }) => type).sort()).toEqual([...PLACE_TYPES].sort())
  expect(mine.map(({ radius }) => radius)).toEqual(expect.arrayContaining([PLACE_RADIUS.min, PLACE_RADIUS.default, PLACE_RADIUS.max]))
  for (const { address } of mine) expect(address).toMatch(/^.+ \d+.*, .+$/)
})

test('alice has four alerts, one of them off, and three contacts, and no alert is sent to dave', async () => {
  expect(await db.read.select().from(alerts)).toMatchObject([
    { trigger: 'enter', placeId: SEED.places.home },
    { trigger: 'leave', placeId: SEED.places.home },
    { isVehicleAlert: true, placeId: null },
    { placeId: SEED.places.cabin, offSince: at({ days: -4 }) },
  ])
  expect((await db.read.select().from(contacts)).map(({ name }) => name)).toEqual(['Bob', 'Carol', 'Dave'])
  expect((await db.read.select().from(alertContacts)).some(({ contactId }) => contactId === SEED.contacts.dave)).toBe(false)
})

test('the links of the bike end as planned', async () => {
  const table = [
    ['fromBeginning', { startsAt: null, endsAt: at({ days: 7 }), isPermanent: false }],
    ['expired', { endsAt: at({ days: -1 }) }],
    ['permanent', { endsAt: new Date('2200-01-01T00:00:00Z'), isPermanent: true }],
    ['lastPoint', { endsAt: new Date('2100-12-31T23:59:59Z'), isPermanent: false, showsLastPoint: true }],
    ['after2100', { endsAt: new Date('2101-01-01T00:00:00Z'), isPermanent: false }],
  ] as const
  expect(
    await collectFailures(
      table,
      ([name]) => name,
      ([name, expected]) => {
        expect(rows.links.find(({ uuid }) => uuid === LINKS[name])).toMatchObject({ deviceId: SEED.devices.cityBike, ...expected })
      },
    ),
  ).toEqual([])
})

test("the bike has five links, Rex's link has not started, and the unknown link does not exist", () => {
  expect(rows.links.filter(({ deviceId }) => deviceId === SEED.devices.cityBike)).toHaveLength(5)
  expect(rows.links.find(({ uuid }) => uuid === LINKS.empty)!.startsAt! > ANCHOR).toBe(true)
  expect(rows.links.some(({ uuid }) => uuid === LINKS.unknown)).toBe(false)
})

test('alice has orders, invoices and cards, and bruno a failed invoice', async () => {
  expect((await db.read.select().from(orders)).map(({ reference, status, invoiceId }) => [reference, status, invoiceId !== null])).toEqual([
    ['ORD-1001', 'delivered', true],
    ['ORD-1002', 'shipping', true],
    ['ORD-1003', 'in_progress', false],
  ])
  const bills = await db.read.select().from(invoices)
  expect(ofAlice(bills).map(({ status }) => status)).toEqual(['paid', 'paid', 'paid'])
  const [previous, newest] = bills.filter(({ accountId }) => accountId === getPersona('bruno').accountId)
  expect([previous, newest]).toMatchObject([{ status: 'paid' }, { status: 'failed', balance: 1495 }])
  expect(newest!.date > previous!.date).toBe(true)
  const cards = await db.read.select().from(paymentMethods)
  expect(ofAlice(cards).map(({ last4, isDefault }) => [last4, isDefault])).toEqual(
    expect.arrayContaining([
      ['4242', true],
      ['4444', false],
    ]),
  )
})

test('R-9.20 R-9.21 the three-year plan is retired and cost 9.95 a year', async () => {
  const all = await db.read.select().from(prices)
  const offered = all.filter(({ isOffered }) => isOffered)
  expect(offered.some(({ months }) => months === 36)).toBe(false)
  expect(
    offered
      .filter(({ currency, type }) => currency === 'eur' && type !== 'tracker')
      .map(({ unitAmount }) => unitAmount)
      .sort((a, b) => a - b),
  ).toEqual([199, 499, 990, 1495, 1695, 2490])
  expect(yearlyPrice(all.find(({ id }) => id === 'eur-36m')!.unitAmount, 36)).toBe(995)
})

test('attempts at serials and one pending unlink request are seeded', async () => {
  const attempts = await db.read
    .select()
    .from(serialAttempts)
    .where(eq(serialAttempts.accountId, getPersona('alice').accountId))
  expect(attempts.map(({ remaining }) => remaining)).toEqual([1, 0])
  expect(await db.read.select().from(unlinkRequests)).toMatchObject([{ identifier: CONFLICTS.pending, status: 'pending' }])
})

test('the cold box has parameters, the hiker is hidden, one theft report is open and one device key exists', async () => {
  expect(await db.read.select().from(sct2Params)).toEqual([
    { deviceId: SEED.devices.coldBox, frequency: 60, keepalivePeriod: 1440, tempUplinkSlicesDuration: 2, tempSliceDuration: 60 },
  ])
  expect(await db.read.select().from(hiddenDevices)).toEqual([{ userId: getPersona('alice').id, deviceId: SEED.devices.hiker }])
  expect(await db.read.select().from(theftReports)).toMatchObject([{ deviceId: SEED.devices.stolenScooter, status: 'open' }])
  expect(await db.read.select().from(deviceKeys)).toMatchObject([{ hash: sha256(DEVICE_KEY) }])
})
