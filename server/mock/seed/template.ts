import { type PositionRow, positionStore } from '#db/positions.ts'
import { migrate, openDb } from '#db/sqlite/open.ts'
import type { City } from '#server/mock/city/city.ts'
import { createJourneys } from '#server/mock/seed/journeys/journeys.ts'
import { FLEETS } from '#server/mock/seed/records/fleets.ts'
import { seededPasswordHash } from '#server/mock/seed/records/hashes.ts'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { spotsOf } from '#server/mock/seed/records/spots.ts'
import { fill } from './fill.ts'
import { historyOf, lastSeen } from './history.ts'

/** Dates count from `anchor`; everything random is drawn from `seed`. */
export type TemplateOptions = { anchor: Date; seed: number; city: City }

/** Builds a database with all demo data and returns its bytes; the same options give the same bytes. */
export async function buildTemplate({ anchor: wished, seed, city }: TemplateOptions): Promise<Buffer> {
  const anchor = new Date(wished)
  anchor.setUTCMilliseconds(0) // positions have a resolution of one second
  const journeys = createJourneys(city, seed)
  const histories = new Map<number, PositionRow[]>()
  for (const { devices } of FLEETS) for (const plan of devices) histories.set(plan.id, historyOf(journeys, plan))
  const passwordHash = await seededPasswordHash(DEMO_PASSWORD, seed)

  const db = openDb(':memory:')
  migrate(db)
  const positions = positionStore(db)
  await db.write(async (tx) => {
    const seen = ({ id }: { id: number }) => lastSeen(city, histories.get(id) ?? [])
    await fill(tx, { anchor, seed, spots: spotsOf(city), passwordHash, seen })
    const origin = anchor.getTime() / 1000
    for (const [id, rows] of histories) for (const row of rows) positions.add(id, { ...row, time: origin + row.time })
  })
  db.raw.exec('vacuum')
  const bytes = db.raw.serialize()
  db.close()
  return bytes
}
