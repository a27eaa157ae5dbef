import { GRACE_DAYS } from '#contracts/rules/service.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { LiveEvent } from '#db/db.ts'
import { accounts, tokens, users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import type { DeviceRow, Viewer } from '#db/scope.ts'
import { createLive } from '#server/ports/live.ts'
import type { World } from '#server/ports/world.ts'
import { openTestDb } from '#server/test/test-database.ts'
import { ingest } from '#server/tracking/ingest/ingest.ts'

export const NOW = new Date('2026-03-02T09:00:00Z')
export const HOME = { lat: -34.9, lng: -56.16 }
export const OWNER: Viewer = { userId: 1, accountId: 1, role: 'user' }
const TOMORROW = new Date('2026-03-03T09:00:00Z')
export const sessionHash = ({ userId }: Pick<Viewer, 'userId'>) => `of-${userId}`

const METRES_PER_DEGREE = 111_195

/** A fix `metres` north of home, `minutes` after the start. */
export const fix = (metres: number, minutes: number, more: object = {}) => ({
  lat: HOME.lat + metres / METRES_PER_DEGREE,
  lng: HOME.lng,
  precision: 10,
  datetime: formatInstant(new Date(NOW.getTime() + minutes * 60_000)),
  ...more,
})

/** Creates a world with one account and one tracker, "1000000001", for tests that control every detail. */
export async function createTestWorld(device: Partial<DeviceRow> = {}) {
  const db = await openTestDb('empty')
  let now = NOW
  const heard: LiveEvent[] = []
  db.onEvent((event) => void heard.push(event))
  const world: Pick<World, 'id' | 'db' | 'positions' | 'clock' | 'geocode' | 'live' | 'graceDays'> = {
    id: 'test',
    db,
    positions: db.positions,
    clock: { now: () => now },
    geocode: {
      search: () => [],
      nearest: ({ lat }) => ({ lat, lng: 0, label: `Street ${lat.toFixed(4)}`, street: '', number: '', neighbourhood: null }),
    },
    live: createLive(db),
    graceDays: GRACE_DAYS.usual,
  }
  await db.write('everything', async (tx) => {
    await tx.insert(accounts).values([{ id: 1 }, { id: 2 }])
    const person = { firstName: 'A', lastName: 'B', emailConfirmed: true, createdAt: NOW }
    await tx.insert(users).values([
      { ...person, id: 1, accountId: 1, username: 'ana', email: 'ana@example.com', language: 'fr' },
      { ...person, id: 2, accountId: 2, username: 'bob', email: 'bob@example.com' },
    ])
    await tx
      .insert(tokens)
      .values([1, 2].map((userId) => ({ hash: sessionHash({ userId }), userId, createdAt: NOW, lastSeenAt: NOW, expiresAt: TOMORROW })))
    await tx.insert(devices).values({ ...plain(1), ...device })
  })
  return {
    world,
    heard,
    add: (id: number, more: Partial<DeviceRow> = {}) =>
      db.write('everything', (tx) => tx.insert(devices).values({ ...plain(id), ...more })),
    device: async (id = 1) => (await db.read.select().from(devices)).find((row) => row.id === id)!,
    at(minutes: number) {
      now = new Date(NOW.getTime() + minutes * 60_000)
    },
    async say(metres: number, minutes: number, more: object = {}) {
      now = new Date(NOW.getTime() + minutes * 60_000)
      return ingest(world, { identifier: '1000000001', positions: [fix(metres, minutes)], ...more })
    },
    [Symbol.dispose]: () => db.close(),
  }
}

const plain = (id: number) => ({
  id,
  accountId: 1,
  type: 'tracker_01' as const,
  boardName: 'TRK1-A',
  name: `Tracker ${id}`,
  identifier: String(1_000_000_000 + id),
  serial: `SERIAL${String(id).padStart(6, '0')}`,
  kind: 'dog' as const,
  createdAt: NOW,
  mode: 21,
  subState: 'active' as const,
})
