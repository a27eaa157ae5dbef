import { constants, copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ScenarioKey } from '#contracts/mock/scenarios.ts'
import { findProgramFile } from '#db/program-files.ts'
import { migrate, openSqlite } from '#db/sqlite/open.ts'
import type { Config } from '#server/config.ts'
import { DATABASE_FILENAME } from '#server/http/process.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { readLegalTexts } from '#server/legal/legal-texts.ts'
import { openCity } from '#server/mock/city/index.ts'
import { createSeededIds } from '#server/mock/lib/seeded-ids.ts'
import { chooseClaims, readLastMessageDate, readSeed } from '#server/mock/seed/read-seed.ts'
import { buildScenario } from '#server/mock/seed/scenarios/build-scenario.ts'
import type { OwnScenarios } from '#server/mock/seed/scenarios/scenario.ts'
import { findScenario } from '#server/mock/seed/scenarios/scenarios.ts'
import { buildTemplate } from '#server/mock/seed/template.ts'
import { systemClock } from '#server/ports/clock.ts'
import { systemIds } from '#server/ports/ids.ts'
import type { Log } from '#server/ports/world.ts'
import { createSnapshotStore } from './snapshots.store.ts'
import { createTemplates, readTemplate, type Template, type Templates } from './templates.ts'
import { createWorld, type MockWorld, type MockWorldOptions } from './world.ts'
import { createWorldOrigins } from './world-origins.ts'
import { createWorlds, type WorldRequest } from './worlds.ts'

type WorldFactoryOptions = Pick<
  MockWorldOptions,
  | 'city'
  | 'log'
  | 'productName'
  | 'limits'
  | 'secondFactor'
  | 'graceDays'
  | 'asksContacts'
  | 'claims'
  | 'withdraws'
  | 'phoneMonths'
  | 'moveLimits'
  | 'pauseLimits'
  | 'termsVersion'
  | 'priceNoticeDays'
> & {
  templates: Templates
  anchor: Date
  dir: string
  originOf(id: string): string
}

export const createWorldFactory =
  ({ templates, anchor, dir, originOf, ...common }: WorldFactoryOptions) =>
  async (
    {
      id,
      seed,
      scenario = 'family',
      size,
      clock,
      storage,
      claims,
      from,
      journal,
      graceDays = common.graceDays,
      asksContacts = common.asksContacts,
    }: WorldRequest,
    old?: MockWorld,
  ): Promise<MockWorld> => {
    const template = from ?? (await templates({ anchor, seed, scenario, size }))
    old?.close()
    const isFile = storage ? storage === 'file' : !Buffer.isBuffer(template)
    const file = path.join(dir, `${id}.db`)
    const db = isFile ? openSqlite(copyTemplate(file, template)) : openSqlite(readTemplate(template))
    if (from) migrate(db)
    if (claims) await chooseClaims(db, claims)
    const { clock: savedClock, ids, ...seeded } = await readSeed(db.read)
    const saved = { mode: 'frozen' as const, ...(savedClock && savedClock), at: savedClock ? new Date(savedClock.at) : seeded.anchor }
    const start = { ...saved, ...clock }
    const isSettled = start.at.getTime() === saved.at.getTime()
    const world = createWorld({
      ...common,
      ...seeded,
      claims: seeded.claims ?? common.claims,
      id,
      db,
      graceDays,
      asksContacts,
      origin: originOf(id),
      clock: start,
      journal,
      ids: createSeededIds(seeded.seed, ids ?? 0),
      storage: isFile ? 'file' : 'memory',
      isSettled,
      onClose: () => isFile && removeDb(file),
    })
    // Templates have already done this.
    if (from && isSettled) await runDue(world, start.at)
    return world
  }

function copyTemplate(file: string, template: Template) {
  mkdirSync(path.dirname(file), { recursive: true })
  removeDb(file)
  if (Buffer.isBuffer(template)) writeFileSync(file, template)
  else copyFileSync(template.file, file, constants.COPYFILE_FICLONE)
  return file
}

function removeDb(file: string) {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

const SEED = 1
/** The anchor of test worlds (`X-World`), the same on every day. */
const FIXED_ANCHOR = new Date('2026-03-02T09:00:00Z')

/**
 * Creates the worlds of the local stack: `main` in a file that survives restarts; the others in memory, or in files that are removed with
 * them.
 */
export async function createLocalWorlds(config: Config, log: Log, city = openCity(findProgramFile('dist/city'))) {
  const origins = createWorldOrigins(config)
  const file = path.join(config.DATA_DIR, DATABASE_FILENAME)
  const dir = path.join(config.DATA_DIR, 'worlds')
  const common = {
    city,
    log,
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
  }
  rmSync(dir, { recursive: true, force: true })
  const own: OwnScenarios = new Map()
  const templates = createTemplates(city, path.join(dir, 'templates'), own)
  const makeOther = createWorldFactory({ ...common, templates, anchor: FIXED_ANCHOR, dir, originOf: origins.find })

  /** Uses the current time as the anchor, so the result differs every time and is not cached. */
  async function mainTemplate({ seed, scenario = 'family', size }: Pick<WorldRequest, 'seed' | 'scenario' | 'size'>) {
    const anchor = config.SEED_ANCHOR ? new Date(config.SEED_ANCHOR) : systemClock.now()
    if (anchor.getTime() === FIXED_ANCHOR.getTime() || !findScenario(scenario)) return templates({ anchor, seed, scenario, size })
    return buildScenario(await buildTemplate({ anchor, seed, city }), scenario as ScenarioKey, city, size)
  }

  async function openMain(journal?: WorldRequest['journal']): Promise<MockWorld> {
    const db = openSqlite(file, { synchronous: config.SYNCHRONOUS ?? 'NORMAL' })
    migrate(db)
    const { clock, seed, anchor, scenario, size, claims } = await readSeed(db.read)
    // A snapshot's clock applies once, right after the restore.
    db.raw.exec('update seeds set clock = null')
    const today = config.SEED_ANCHOR ? anchor : systemClock.now()
    // A clock that was moved ahead continues from there, otherwise all past events would lie in the future.
    const lastMessage = await readLastMessageDate(db.read)
    const at = lastMessage && lastMessage > today ? lastMessage : today
    const start = clock ? { ...clock, at: new Date(clock.at) } : { at, mode: 'flow' as const }
    return createWorld({
      ...common,
      claims: claims ?? common.claims,
      seed,
      anchor,
      scenario,
      size,
      id: 'main',
      db,
      origin: origins.main,
      ids: systemIds,
      clock: start,
      storage: 'file',
      journal,
    })
  }

  const make = (request: WorldRequest, old?: MockWorld) => (request.id === 'main' ? resetMain(request, old) : makeOther(request, old))

  /**
   * The old world serves requests until the new template is ready; after it ends, everything is synchronous except opening the database.
   */
  async function resetMain(request: WorldRequest, old: MockWorld | undefined) {
    const bytes = readTemplate(request.from ?? (await mainTemplate(request)))
    old?.close()
    removeDb(file)
    writeFileSync(file, bytes)
    return openMain(request.journal)
  }

  if (!existsSync(file)) writeFileSync(file, readTemplate(await mainTemplate({ seed: SEED })), { flag: 'wx' })
  const main = await openMain()
  const worlds = createWorlds(main, make, { max: config.MAX_WORLDS, readId: origins.readId })
  return { city, main, worlds, origins, own, snapshots: createSnapshotStore(path.join(config.DATA_DIR, 'snapshots')) }
}
