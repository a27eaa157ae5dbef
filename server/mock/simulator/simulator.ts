import type { Message } from '#contracts/positions.ts'
import type { City } from '#server/mock/city/city.ts'
import { createJourneys } from '#server/mock/seed/journeys/journeys.ts'
import { batteryAt } from '#server/mock/seed/records/battery.ts'
import type { World } from '#server/ports/world.ts'
import { ingest } from '#server/tracking/ingest.ts'
import { type Batch, batchesOf } from './batches.ts'
import { CAST } from './cast.ts'
import { dueFixes } from './due-fixes.ts'
import { readSettings, type Settings } from './simulator.store.ts'
import { createSteering, type Steering } from './steering.ts'

export type SimulatorOptions = { world: World; city: City; seed: number; anchor: Date; send?: typeof ingest }

/** A tracker and the time of its next message. */
type Spoken = { identifier: string; at: Date }

/** Moves the seeded trackers along the world's time. */
export type Simulator = {
  /** Sends every fix due since the last run, in order of time; returns how many were new. */
  runUntil(now: Date): Promise<number>
  /** Finds the tracker among the `wanted` that sends next; null when none does within a month. */
  next(after: Date, wanted?: (settings: Settings) => boolean): Promise<Spoken | null>
  steering: Steering
  /** Seconds from the anchor, the unit of drives and silences. */
  secondOf(at: Date): number
  dateOf(second: number): Date
}

const DAY = 86_400
/** Spans in seconds; most trackers send within the hour, so a short span is tried first. */
const LOOK_AHEAD = [3600, DAY, 31 * DAY]
/** Messages per transaction. */
const AT_ONCE = 100

/**
 * Creates the simulator, which sends through `ingest` like a real gateway. Its only state is the last second played: positions follow from
 * the time, past messages from the database. After a standstill it catches up at most one day.
 */
export function createSimulator({ world, city, seed, anchor, send = ingest }: SimulatorOptions): Simulator {
  const journeys = createJourneys(city, seed)
  const steering = createSteering()
  const identifiers = () => [...new Set([...CAST.keys(), ...steering.drives.keys()])]
  const secondOf = (at: Date) => Math.floor((at.getTime() - anchor.getTime()) / 1000)
  let done = secondOf(world.clock.now()) - DAY

  function fixesOf(identifier: string, settings: Settings, from: number, to: number) {
    const actor = CAST.get(identifier)
    const own = actor ? dueFixes(journeys, actor.profile, settings, { anchor, from, to }) : []
    return steering.steer(identifier, own, from, to)
  }

  function due(settings: Settings, to: number): Batch[] {
    const { identifier } = settings
    return identifier === null ? [] : batchesOf(identifier, fixesOf(identifier, settings, done + 1, to))
  }

  const dateOf = (second: number) => new Date(anchor.getTime() + second * 1000)

  async function hand(types: Map<string | null, Settings['type']>, { identifier, second, fixes }: Batch) {
    const actor = CAST.get(identifier)
    const message: Message = {
      identifier,
      ...(actor && { battery: batteryAt(types.get(identifier)!, actor.battery, second) }),
      positions: fixes.map(({ lat, lng, precision, second: at }) => ({ lat, lng, precision, datetime: dateOf(at).toISOString() })),
    }
    return send({ ...world, clock: { now: () => dateOf(second) } }, message)
  }

  return {
    steering,
    secondOf,
    dateOf,
    async next(after, wanted = () => true) {
      const from = secondOf(after) + 1
      const settings = (await readSettings(world.db.read, identifiers())).filter(wanted)
      for (const span of LOOK_AHEAD) {
        const spoken = settings.flatMap((one) => {
          const first = one.identifier === null ? undefined : fixesOf(one.identifier, one, from, from + span)[0]
          return first && one.identifier !== null ? [{ identifier: one.identifier, second: first.second }] : []
        })
        const [first] = spoken.sort((a, b) => a.second - b.second)
        if (first) return { identifier: first.identifier, at: dateOf(first.second) }
      }
      return null
    },
    async runUntil(now) {
      const to = secondOf(now)
      if (to <= done) return 0
      const settings = await readSettings(world.db.read, identifiers())
      const types = new Map(settings.map(({ identifier, type }) => [identifier, type]))
      const batches = settings.flatMap((one) => due(one, to)).sort((a, b) => a.second - b.second || order(a.identifier, b.identifier))
      done = to
      let accepted = 0
      for (let first = 0; first < batches.length; first += AT_ONCE) {
        const results = await Promise.allSettled(batches.slice(first, first + AT_ONCE).map((batch) => hand(types, batch)))
        for (const result of results) {
          if (result.status === 'fulfilled') accepted += result.value.accepted
          else world.log.warn({ err: result.reason }, 'a simulated tracker was not heard')
        }
      }
      return accepted
    },
  }
}

const order = (a: string, b: string) => Number(a > b) - Number(a < b)
