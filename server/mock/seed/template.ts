import type { PositionRow } from '#db/positions.ts'
import { migrate, openDb } from '#db/sqlite/open.ts'
import type { City } from '#server/mock/city/city.ts'
import { createJourneys } from '#server/mock/seed/journeys/journeys.ts'
import { FLEETS } from '#server/mock/seed/records/fleets.ts'
import { seededPasswordHash } from '#server/mock/seed/records/hashes.ts'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { createSpotLookup } from '#server/mock/seed/records/spots.ts'
import { insertSeedRows } from './fill.ts'
import { computeLastSeen, simulateHistory } from './history.ts'

/** Dates count from `anchor`; everything random is drawn from `seed`. */
export type TemplateOptions = { anchor: Date; seed: number; city: City }

/** Builds a database with all demo data and returns its bytes; the same options give the same bytes. */
export async function buildTemplate({ anchor: wished, seed, city }: TemplateOptions): Promise<Buffer> {
  const anchor = new Date(wished)
  anchor.setUTCMilliseconds(0) // positions have a resolution of one second
  const journeys = createJourneys(city, seed)
  const histories = new Map<number, PositionRow[]>()
  for (const { devices } of FLEETS) for (const plan of devices) histories.set(plan.id, simulateHistory(journeys, plan))
  const passwordHash = await seededPasswordHash(DEMO_PASSWORD, seed)

  const db = openDb(':memory:')
  migrate(db)
  await db.write(async (tx) => {
    const seen = ({ id }: { id: number }) => computeLastSeen(city, histories.get(id) ?? [])
    await insertSeedRows(tx, { anchor, seed, spots: createSpotLookup(city), passwordHash, seen })
    const origin = anchor.getTime() / 1000
    for (const [id, rows] of histories)
      await db.positions.add(
        tx,
        id,
        rows.map((row) => ({ ...row, time: origin + row.time })),
      )
  })
  db.raw.exec('vacuum')
  const bytes = db.raw.serialize()
  db.close()
  return bytes
}
