import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { inArray } from 'drizzle-orm'
import { addressOf } from '#db/addresses.ts'
import { fromFixed7, toFixed7 } from '#db/positions.ts'
import { devices } from '#db/schema/devices.ts'
import { PRO_ACCOUNT_ID } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { Scenario, Scene } from './scenario.ts'

const SIZE = 500
/** Number of trackers of the company before the crowd is added. */
const OWN = 6
const POSITIONS = 2_000_000
const MAX_POSITIONS_PER_TRACKER = Math.ceil(POSITIONS / (SIZE - OWN))
const FIRST_ID = 1000
/** The history that is copied covers a month. */
const MONTH = 31 * 86_400
/** Trackers per statement: each binds some thirty values, and SQLite takes 32,766. */
const BATCH = 200

const { rex, misty, cityBike, familyCar, cessna, grandpa } = SEED.devices

export const crowd: Scenario = {
  title: `A company with ${SIZE} trackers, or as many as "size" says, and two million positions`,
  covers: ['9'],
  routes: ['/', '/trackers', '/trackers/:id/history'],
  cast: ['admin', 'member'],
  size: SIZE,
  arrange,
}

type Model = typeof devices.$inferSelect

/** Adds trackers that repeat the history of one of the family's in another part of the city, as many months back as needed. */
async function arrange({ tx, raw, city, size }: Scene) {
  const models = await tx
    .select()
    .from(devices)
    .where(inArray(devices.id, [rex, misty, cityBike, familyCar, cessna, grandpa]))
  const modelOf = (number: number) => models[number % models.length]!
  const numbers = Array.from({ length: size - OWN }, (_, index) => OWN + 1 + index)
  for (let from = 0; from < numbers.length; from += BATCH) {
    await tx.insert(devices).values(numbers.slice(from, from + BATCH).map((number) => createTracker(modelOf(number), number, city)))
    await yieldToEventLoop()
  }
  const copy = raw.prepare(`
    insert into positions (device_id, time, lat, lng, precision, event, battery)
    select ?, time - ?, lat + ?, lng + ?, precision, event, battery from positions where device_id = ?
    order by time desc limit ?`)
  const rowsPerTracker = Math.min(MAX_POSITIONS_PER_TRACKER, Math.ceil(POSITIONS / numbers.length))
  for (const number of numbers) {
    const [north, east] = shiftFor(number)
    for (let copied = 0, month = 0; copied < rowsPerTracker; month++)
      copied += copy.run(FIRST_ID + number, month * MONTH, north, east, modelOf(number).id, rowsPerTracker - copied).changes
    if (number % BATCH === 0) await yieldToEventLoop()
  }
}

function createTracker(model: Model, number: number, city: Scene['city']) {
  const [north, east] = shiftFor(number)
  const [lat, lng] = [model.lat! + north, model.lng! + east]
  return {
    ...model,
    id: FIRST_ID + number,
    accountId: PRO_ACCOUNT_ID,
    tagId: null,
    name: `${model.name} ${number}`,
    identifier: `21${String(number).padStart(8, '0')}`,
    serial: `CROWD${String(number).padStart(7, '0')}`,
    lat,
    lng,
    address: addressOf(city.nearest, { lat: fromFixed7(lat), lng: fromFixed7(lng) }),
  }
}

/** Shifts by up to seven kilometres inland, so that no vehicle drives on the sea. */
const shiftFor = (number: number) => [toFixed7(((number * 37) % 101) * 0.0006), toFixed7((((number * 53) % 97) - 48) * 0.0012)] as const
