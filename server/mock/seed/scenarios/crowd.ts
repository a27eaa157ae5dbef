import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { inArray } from 'drizzle-orm'
import { addressOf } from '#db/addresses.ts'
import { fromFixed7, toFixed7 } from '#db/positions.ts'
import { devices } from '#db/schema/devices.ts'
import { PRO_ACCOUNT_ID } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { Scenario, Scene } from './scenario.ts'

const TRACKERS = 500
const POSITIONS = 2_000_000
const OWN = 6
const FIRST_ID = 1000
/** The history that is copied covers a month. */
const MONTH = 31 * 86_400

const { rex, misty, cityBike, familyCar, cessna, grandpa } = SEED.devices

export const crowd: Scenario = {
  title: `A company with ${TRACKERS} trackers and two million positions`,
  covers: ['9'],
  routes: ['/', '/trackers', '/trackers/:id/history'],
  cast: ['admin', 'member'],
  arrange,
}

/** Adds trackers that repeat the history of one of the family's in another part of the city, as many months back as needed. */
async function arrange({ tx, raw, city }: Scene) {
  const copy = raw.prepare(`
    insert into positions (device_id, time, lat, lng, precision, event, battery)
    select ?, time - ?, lat + ?, lng + ?, precision, event, battery from positions where device_id = ?
    order by time desc limit ?`)
  const models = await tx
    .select()
    .from(devices)
    .where(inArray(devices.id, [rex, misty, cityBike, familyCar, cessna, grandpa]))
  for (let number = OWN + 1; number <= TRACKERS; number++) {
    const model = models[number % models.length]!
    const id = FIRST_ID + number
    const [north, east] = shiftFor(number)
    const [lat, lng] = [model.lat! + north, model.lng! + east]
    await tx.insert(devices).values({
      ...model,
      id,
      accountId: PRO_ACCOUNT_ID,
      tagId: null,
      name: `${model.name} ${number}`,
      identifier: `21${String(number).padStart(8, '0')}`,
      serial: `CROWD${String(number).padStart(7, '0')}`,
      lat,
      lng,
      address: addressOf(city.nearest, { lat: fromFixed7(lat), lng: fromFixed7(lng) }),
    })
    const rowsPerTracker = Math.ceil(POSITIONS / (TRACKERS - OWN))
    for (let copied = 0, month = 0; copied < rowsPerTracker; month++)
      copied += copy.run(id, month * MONTH, north, east, model.id, rowsPerTracker - copied).changes
    await yieldToEventLoop()
  }
}

/** Shifts by up to seven kilometres inland, so that no vehicle drives on the sea. */
const shiftFor = (number: number) => [toFixed7(((number * 37) % 101) * 0.0006), toFixed7((((number * 53) % 97) - 48) * 0.0012)] as const
