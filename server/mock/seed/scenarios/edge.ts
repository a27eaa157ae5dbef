import { eq } from 'drizzle-orm'
import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import { toFixed7 } from '#db/positions.ts'
import { users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { places } from '#db/schema/places.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { Scenario, Scene } from './scenario.ts'

const { rex, misty, cessna, hiker } = SEED.devices
const LONG = 'Rex of the very long name '.repeat(8).slice(0, 200)
const MINUTE = 60

export const edge: Scenario = {
  title: 'What is rare: no battery level, names of 200 letters and of emoji, the antimeridian, the night the clocks go back',
  covers: ['3', '5', '9'],
  routes: ['/', '/trackers', '/trackers/:id', '/trackers/:id/history', '/places/:id'],
  cast: ['alice'],
  trackers: ['rex', 'misty', 'cessna', 'grandpa', 'hiker', 'newTracker'],
  async arrange(scene) {
    const { tx } = scene
    await tx
      .update(users)
      .set({ lastName: 'أحمد 👩‍👩‍👧‍👦', timeZone: 'Europe/Paris' })
      .where(eq(users.id, getPersona('alice').id))
    await tx.update(devices).set({ name: LONG }).where(eq(devices.id, rex))
    await tx.update(devices).set({ name: '🐈‍⬛🐾' }).where(eq(devices.id, misty))
    await tx.update(places).set({ name: LONG }).where(eq(places.id, SEED.places.cabin))
    await flyOverAntimeridian(scene)
    await walkThroughTheNight(scene)
  },
}

/** The last four hours of the Cessna lead eastwards from Fiji, half of them on either side of the antimeridian. */
async function flyOverAntimeridian({ tx, raw, at }: Scene) {
  const end = at({ hours: -4 })
  raw.prepare('delete from positions where device_id = ?').run(cessna)
  const path = Array.from({ length: 25 }, (_, step) => ({
    time: end.getTime() / 1000 - (24 - step) * 10 * MINUTE,
    lng: 177.6 + step * 0.2,
  }))
  for (const { time, lng } of path) insertPosition(raw, cessna, time, -17.5, lng > 180 ? lng - 360 : lng)
  const place = { lat: toFixed7(-17.5), lng: toFixed7(-177.6), course: 90, address: null }
  await tx
    .update(devices)
    .set({ ...place, positionAt: end })
    .where(eq(devices.id, cessna))
}

/** A walk with a fix every ten minutes from one to five o'clock in the night in which three o'clock becomes two. */
async function walkThroughTheNight({ raw, at }: Scene) {
  const begin = lastBackwardNight(at()).getTime() / 1000 - 2 * 60 * MINUTE
  for (let step = 0; step < 30; step++) insertPosition(raw, hiker, begin + step * 10 * MINUTE, -34.86 + step * 0.0005, -56.2)
}

/** The last time Europe's clocks went back: one o'clock UTC on the last Sunday of October. */
export function lastBackwardNight(before: Date) {
  const lastSundayOfOctober = (year: number) => {
    const last = new Date(Date.UTC(year, 9, 31, 1))
    return new Date(last.getTime() - last.getUTCDay() * 86_400_000)
  }
  const thisYear = lastSundayOfOctober(before.getUTCFullYear())
  return thisYear < before ? thisYear : lastSundayOfOctober(before.getUTCFullYear() - 1)
}

const insertPosition = (raw: Scene['raw'], device: number, time: number, lat: number, lng: number) =>
  raw
    .prepare('insert or ignore into positions (device_id, time, lat, lng, precision, event, battery) values (?, ?, ?, ?, ?, ?, ?)')
    .run(device, time, toFixed7(lat), toFixed7(lng), 8, EVENT_TYPES.indexOf('moving'), null)
