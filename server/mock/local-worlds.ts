import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openCity } from '#db/city/open.ts'
import { migrate, openDb } from '#db/open.ts'
import { readSeed } from '#db/seed/read-seed.ts'
import { buildTemplate } from '#db/seed/template.ts'
import type { Config } from '#server/config.ts'
import { systemClock } from '#server/lib/clock.ts'
import { DATABASE } from '#server/lib/files.ts'
import { systemIds } from '#server/lib/ids.ts'
import type { Log } from '#server/lib/world.ts'
import { cloneWorld, createWorld, type MockWorld } from './world.ts'
import { createWorlds, type WorldRequest } from './worlds.ts'

const SEED = 1
/** Where tests find their world, whatever the day (`X-World`). */
const FIXED_ANCHOR = new Date('2026-03-02T09:00:00Z')

/** The worlds of the local stack: `main` in a file, where it survives a restart; the others in memory. */
export async function localWorlds(config: Config, log: Log, city = openCity(path.resolve('dist/city'))) {
  const origin = config.PORTAL_ORIGIN ?? `http://localhost:${config.PORT}`
  const file = path.join(config.DATA_DIR, DATABASE)
  const common = { city, log, productName: config.PRODUCT_NAME, limits: { credentials: config.RATE_LIMITS } }
  const templates = new Map<number, Promise<Buffer>>()

  const template = (seed: number) => {
    const known = templates.get(seed) ?? buildTemplate({ anchor: FIXED_ANCHOR, seed, city })
    templates.set(seed, known)
    return known
  }

  const mainTemplate = (seed: number) => {
    const anchor = config.SEED_ANCHOR ? new Date(config.SEED_ANCHOR) : systemClock.now()
    return anchor.getTime() === FIXED_ANCHOR.getTime() ? template(seed) : buildTemplate({ anchor, seed, city })
  }

  async function openMain(): Promise<MockWorld> {
    const db = openDb(file, { synchronous: config.SYNCHRONOUS })
    migrate(db)
    const seeded = await readSeed(db.read)
    const at = config.SEED_ANCHOR ? { at: seeded.anchor } : { at: systemClock.now() }
    return createWorld({ ...common, id: 'main', db, ...seeded, origin, ids: systemIds, clock: { ...at, mode: 'flow' } })
  }

  async function make({ id, seed, clock }: WorldRequest, old?: MockWorld) {
    if (id === 'main') return resetMain(seed, old)
    const base = new URL(origin)
    base.hostname = `w-${id}.localhost`
    const bytes = await template(seed)
    old?.close()
    return cloneWorld(bytes, {
      ...common,
      id,
      seed,
      anchor: FIXED_ANCHOR,
      origin: base.origin,
      clock: clock ?? { mode: 'frozen' },
    })
  }

  /** The old world answers until the new one is there: from its end on nothing is waited for but the database, which is at once. */
  async function resetMain(seed: number, old: MockWorld | undefined) {
    const bytes = await mainTemplate(seed)
    old?.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
    writeFileSync(file, bytes)
    return openMain()
  }

  if (!existsSync(file)) writeFileSync(file, await mainTemplate(SEED), { flag: 'wx' })
  const main = await openMain()
  return { city, main, worlds: createWorlds(main, make) }
}
