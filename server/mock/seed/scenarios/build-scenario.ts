import { notInArray } from 'drizzle-orm'
import type { ScenarioKey } from '#contracts/mock/scenarios.ts'
import type { Tx } from '#db/db.ts'
import { accounts } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { seeds } from '#db/schema/worlds.ts'
import { openSqlite, type SqliteDb } from '#db/sqlite/open.ts'
import type { City } from '#server/mock/city/index.ts'
import { readSeed } from '#server/mock/seed/read-seed.ts'
import { momentsFrom } from '#server/mock/seed/records/moments.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { listCast, SCENARIOS } from './scenarios.ts'

/** Rows that no foreign key removes together with users and trackers. */
const REMOVE_ORPHANS = [
  'delete from positions where device_id not in (select id from devices)',
  'delete from team_devices where device_id not in (select id from devices) or user_id not in (select id from users)',
  'delete from serial_attempts where identifier not in (select identifier from devices)',
  'delete from serial_checks where identifier not in (select identifier from devices)',
  'delete from unlink_requests where identifier not in (select identifier from devices) or user_id not in (select id from users)',
  'delete from emails where "to" not in (select email from users)',
]

/** Builds the database of a scenario from the bytes of `family`: adds the scenario's rows and removes everyone else. */
export async function buildScenario(bytes: Buffer, key: ScenarioKey, city: City, size = SCENARIOS[key].size): Promise<Buffer> {
  if (key === 'family') return bytes
  const db = openSqlite(bytes)
  const { anchor } = await readSeed(db.read)
  await db.write('everything', async (tx) => {
    await SCENARIOS[key].arrange?.({ tx, raw: db.raw, at: momentsFrom(anchor), city, size: size ?? 0 })
    await removeOthers(db, tx, key)
    await tx.update(seeds).set({ scenario: key, size: size ?? null })
  })
  db.raw.exec('vacuum')
  const staged = db.raw.serialize()
  db.close()
  return staged
}

async function removeOthers({ raw }: SqliteDb, tx: Tx, key: ScenarioKey) {
  const owners = listCast(key).map(({ accountId }) => accountId)
  const { trackers } = SCENARIOS[key]
  await tx.delete(accounts).where(notInArray(accounts.id, owners))
  if (trackers)
    await tx.delete(devices).where(
      notInArray(
        devices.id,
        trackers.map((name) => SEED.devices[name]),
      ),
    )
  for (const orphans of REMOVE_ORPHANS) raw.exec(orphans)
}
