import path from 'node:path'
import { findProgramFile } from '#db/program-files.ts'
import { openEmpty } from '#db/sqlite/empty.ts'
import { migrate, openSqlite } from '#db/sqlite/open.ts'
import type { Config } from '#server/config.ts'
import { readLegalTexts } from '#server/legal/legal-texts.ts'
import { type City, openCity } from '#server/mock/city/index.ts'
import { readSeed } from '#server/mock/seed/read-seed.ts'
import { createTemplates, readTemplate, type Templates } from '#server/mock/worlds/templates.ts'
import { createWorld, type MockWorld } from '#server/mock/worlds/world.ts'
import { createWorlds, type WorldRequest } from '#server/mock/worlds/worlds.ts'
import type { Clock } from '#server/ports/clock.ts'
import { systemIds } from '#server/ports/ids.ts'
import type { Log } from '#server/ports/world.ts'
import { MAX_TEMPLATE_AGE_MS, MAX_WORLD_BYTES } from './limits.ts'

const SEED = 1
const LOBBY = { id: 'lobby', seed: SEED, scenario: 'empty' } as const

type Options = { log: Log; wall: Clock; city?: City; templates?: Templates }

/** Creates the worlds of a public demo, all in memory. Visitors without a world get the lobby: an empty database with a frozen clock. */
export function createDemoWorlds(config: Config, { log, wall, ...given }: Options) {
  const { city = openCity(findProgramFile('dist/city')) } = given
  const { templates = createTemplates(city, path.join(config.DATA_DIR, 'templates')) } = given
  const origin = config.PORTAL_ORIGIN ?? `http://localhost:${config.PORT}`
  const common = {
    city,
    log,
    wall,
    origin,
    productName: config.PRODUCT_NAME,
    limits: { credentials: config.RATE_LIMITS },
    graceDays: config.GRACE_DAYS,
    asksContacts: config.CONTACT_CONSENT === 'asked',
    withdraws: config.WITHDRAWAL_DAYS !== null,
    secondFactor: { isRequired: config.REQUIRE_SECOND_FACTOR ?? false },
    claims: config.CLAIMS,
    phoneMonths: config.PHONE_MONTHS,
    moveLimits: { perYear: config.PLAN_MOVES_PER_YEAR, days: config.PLAN_MOVE_DAYS },
    pauseLimits: { perYear: config.PLAN_PAUSES_PER_YEAR, days: config.PLAN_PAUSE_DAYS },
    termsVersion: readLegalTexts(config).termsVersion,
    priceNoticeDays: config.PRICE_NOTICE_DAYS,
    ids: systemIds,
  }
  let anchor = wall.now()

  /** Renews the anchor of the seed data every half hour, so that the data of a new world is recent. */
  function getTemplate(scenario: WorldRequest['scenario'] = 'family') {
    if (wall.now().getTime() - anchor.getTime() > MAX_TEMPLATE_AGE_MS) anchor = wall.now()
    return templates({ anchor, seed: SEED, scenario })
  }

  /** Unlike test worlds, demo worlds start now, generate unguessable ids and have a size limit. */
  async function createVisitorWorld({ id, scenario, from, journal }: WorldRequest, old?: MockWorld): Promise<MockWorld> {
    const bytes = readTemplate(from ?? (await getTemplate(scenario)))
    old?.close()
    const db = openSqlite(bytes)
    if (from) migrate(db)
    db.raw.pragma(`max_page_count = ${MAX_WORLD_BYTES / Number(db.raw.pragma('page_size', { simple: true }))}`)
    const { clock: kept, anchor: laidAround, seed, scenario: played } = await readSeed(db.read)
    const clock = kept ? { ...kept, at: new Date(kept.at) } : { at: wall.now(), mode: 'flow' as const }
    return createWorld({ ...common, id, db, seed, scenario: played, anchor: laidAround, clock, journal })
  }

  const lobby = createWorld({ ...common, ...LOBBY, anchor, db: openEmpty(), clock: { mode: 'frozen' } })
  return { city, lobby, worlds: createWorlds(lobby, createVisitorWorld, { wall }) }
}
