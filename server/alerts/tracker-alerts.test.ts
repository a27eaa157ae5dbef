import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { formatInstant } from '#contracts/rules/time.ts'
import { fromFixed7 } from '#db/positions.ts'
import { emails } from '#db/schema/messages.ts'
import { places } from '#db/schema/places.ts'
import type { SqliteDb } from '#db/sqlite/open.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { buildApp } from '#server/app.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { createWorld } from '#server/mock/worlds/world.ts'
import { openTestDb } from '#server/test/test-database.ts'
import { ANCHOR } from '#server/test/test-files.ts'

const quiet = { info() {}, warn() {}, error() {} }
const GRANDPA = '1000000006'
const METRE = 1 / 111_195

/** A server with a database that stays unchanged when the server ends. */
async function startOver(stored: SqliteDb) {
  const options = { id: 'main', city: await openTestCity(), seed: 1, anchor: ANCHOR, origin: 'http://portal.test', log: quiet }
  const world = createWorld({ ...options, db: { ...stored, close: async () => {} } })
  const app = await buildApp({ worlds: { of: () => world }, rateLimits: false })
  const [home] = await world.db.read.select().from(places).where(eq(places.id, SEED.places.home))
  return {
    world,
    async say(metres: number, minutes: number) {
      const at = new Date(ANCHOR.getTime() + minutes * 60_000)
      world.clock.set({ at })
      const fix = { lat: fromFixed7(home!.lat) + metres * METRE, lng: fromFixed7(home!.lng), precision: 10, datetime: formatInstant(at) }
      const headers = { 'x-device-key': 'demo-device-key' }
      const payload = { identifier: GRANDPA, positions: [fix] }
      expect((await app.inject({ method: 'POST', url: '/devices/ingest/', headers, payload })).statusCode).toBe(201)
    },
    async create(payload: object) {
      const headers = { authorization: `Bearer ${await signInAs(world, 'alice@example.com')}` }
      return (await app.inject({ method: 'POST', url: '/tracker_alerts/', headers, payload })).statusCode
    },
    mails: () =>
      world.db.read
        .select()
        .from(emails)
        .where(and(eq(emails.to, 'carol@example.net'), eq(emails.template, 'place_alert'))),
    async [Symbol.asyncDispose]() {
      await app.close()
      world.close()
    },
  }
}

test('R-1.10 an alert fires once across server restarts between the fixes', async () => {
  const stored = await openTestDb('family')
  {
    await using portal = await startOver(stored)
    expect(
      await portal.create({ devices: [SEED.devices.grandpa], contacts: [SEED.contacts.carol], place: SEED.places.home, trigger: 'enter' }),
    ).toBe(201)
    await portal.say(1000, 1)
    expect(await portal.mails()).toEqual([])
  }
  for (const [minutes, metres] of [
    [5, 0],
    [6, 20],
  ] as const) {
    await using portal = await startOver(stored)
    await portal.say(metres, minutes)
    expect(await portal.mails()).toHaveLength(1)
  }
  await stored.close()
})

test('D-41 wrong positions that come back fire nothing, across server restarts between them', async () => {
  const stored = await openTestDb('family')
  const alert = { devices: [SEED.devices.grandpa], contacts: [SEED.contacts.carol], place: SEED.places.home, trigger: 'leave' }
  for (const [minutes, metres] of [0, 0, 0, 1200, 550, 0, 0].entries()) {
    await using portal = await startOver(stored)
    await portal.say(metres, minutes + 1)
    if (minutes === 2) expect(await portal.create(alert)).toBe(201)
    expect(await portal.mails()).toEqual([])
  }
  for (const [mails, minutes, metres] of [
    [0, 8, 1200],
    [1, 9, 1300],
  ] as const) {
    await using portal = await startOver(stored)
    await portal.say(metres, minutes)
    expect(await portal.mails()).toHaveLength(mails)
  }
  await stored.close()
})
