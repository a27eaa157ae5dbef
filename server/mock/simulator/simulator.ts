import type { City } from '#db/city/city.ts'
import type { World } from '#server/lib/world.ts'

export type SimulatorOptions = { world: World; city: City; seed: number; anchor: Date }

/** Moves the seeded trackers along the world's time. */
export type Simulator = {
  /** Emits every fix due since the last run, in order of time; answers how many. */
  runUntil(now: Date): Promise<number>
}

export const createSimulator = (_options: SimulatorOptions): Simulator => ({ runUntil: async () => 0 })
