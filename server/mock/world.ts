import type { City } from '#db/city/city.ts'
import { type Db, openDb } from '#db/open.ts'
import { positionStore } from '#db/positions.ts'
import { type Clock, systemClock } from '#server/lib/clock.ts'
import type { Ids } from '#server/lib/ids.ts'
import { createLive } from '#server/lib/live.ts'
import type { Log, World } from '#server/lib/world.ts'
import { createSimulator } from '#server/mock/simulator/simulator.ts'
import { createStripeFake, type StripeFake } from '#server/mock/stripe/fake.ts'
import { seededIds } from './seeded-ids.ts'
import { type ClockMode, type VirtualClock, virtualClock } from './virtual-clock.ts'

/** A world of the mock server: its clock can be moved, its trackers move by themselves. */
export type MockWorld = World & {
  seed: number
  clock: VirtualClock
  stripe: StripeFake
  /** Emits what the simulated trackers have to say up to the world's time; answers how many positions that were. */
  simulate(): Promise<number>
  close(): void
}

export type MockWorldOptions = {
  id: string
  db: Db
  city: City
  seed: number
  anchor: Date
  origin: string
  log: Log
  clock?: { at?: Date; mode: ClockMode; rate?: number }
  ids?: Ids
  wall?: Clock
  limits?: { credentials: boolean }
}

export function createWorld(options: MockWorldOptions): MockWorld {
  const { id, db, city, seed, anchor, origin, log, limits = { credentials: true } } = options
  const clock = virtualClock(options.wall ?? systemClock, {
    at: options.clock?.at ?? anchor,
    mode: options.clock?.mode ?? 'frozen',
    rate: options.clock?.rate ?? 1,
  })
  const ids = options.ids ?? seededIds(seed)
  const stripe = createStripeFake({ clock, ids, origin })
  const world: World = {
    id,
    db,
    positions: positionStore(db),
    clock,
    ids,
    payments: stripe.payments,
    geocode: city,
    live: createLive(),
    log,
    origin,
    limits,
  }
  const simulator = createSimulator({ world, city, seed, anchor })
  let running: Promise<number> = Promise.resolve(0)
  return {
    ...world,
    seed,
    clock,
    stripe,
    simulate: () => (running = running.catch(() => 0).then(() => simulator.runUntil(clock.now()))),
    close: () => db.close(),
  }
}

/** A world in memory, cloned from a seeded template. */
export const cloneWorld = (template: Buffer, options: Omit<MockWorldOptions, 'db'>) => createWorld({ ...options, db: openDb(template) })
