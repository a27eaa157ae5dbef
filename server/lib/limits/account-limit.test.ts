import { expect, test } from 'vitest'
import { ACCOUNT_LIMITS } from '#contracts/limits/account-limits.ts'
import { users } from '#db/schema/accounts.ts'
import { tags } from '#db/schema/devices.ts'
import { alerts, contacts, places } from '#db/schema/places.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const place = { name: 'Vet', address: 'Ellauri 350', type: 'other', radius: 200, devices: [], lat: -34.91, lng: -56.15 }
const alert = { devices: [SEED.devices.rex], contacts: [SEED.contacts.bob], place: SEED.places.home, trigger: 'enter' }

const ROWS = [
  {
    of: 'contacts',
    table: contacts,
    url: '/tracker_contacts/',
    body: { name: 'Eve', email: 'eve@example.net' },
    row: (n: number) => ({ name: 'x', email: `${n}@example.net` }),
  },
  {
    of: 'places',
    table: places,
    url: '/tracker_places/',
    body: place,
    row: () => ({ name: 'x', address: 'x', type: 'other' as const, radius: 100, lat: 0, lng: 0 }),
  },
  {
    of: 'tags',
    table: tags,
    url: '/tracker_tags/',
    body: { name: 'New' },
    row: (n: number) => ({ name: `${n}`, key: `${n}`, color: '#1f6fb2' }),
  },
  { of: 'alerts', table: alerts, url: '/tracker_alerts/', body: alert, row: () => ({ isVehicleAlert: false }) },
] as const

test('D-50 one contact, place, tag or alert more than an account may have is refused with the limit', async () => {
  await using portal = await startPortal()
  const { db } = portal.world
  const alice = (await db.read.select().from(users)).find(({ email }) => email === ALICE)!
  const failures = await collectFailures(
    ROWS,
    ({ of }) => of,
    async ({ of, table, url, body, row }) => {
      const limit = ACCOUNT_LIMITS[of]
      const has = (await portal.call(ALICE, 'GET', url)).body.length
      const rows = Array.from({ length: limit - has - 1 }, (_, n) => ({ ...row(n), accountId: alice.accountId }))
      await db.write('everything', async (tx) => {
        for (let first = 0; first < rows.length; first += 500) await tx.insert(table).values(rows.slice(first, first + 500) as never)
      })
      expect((await portal.call(ALICE, 'POST', url, body)).status).toBe(201)
      expect(await portal.call(ALICE, 'POST', url, { ...body, name: 'Another', email: 'another@example.net' })).toMatchObject({
        status: 409,
        body: { code: 'limit_reached', of, limit },
      })
    },
  )
  expect(failures).toEqual([])
  const csv = new Blob(['name,address,type\nVet,Ellauri 350,other\n'], { type: 'text/csv' })
  expect(await portal.call(ALICE, 'POST', '/tracker_places/import_csv/', csv)).toMatchObject({
    status: 409,
    body: { code: 'limit_reached' },
  })
})
