import type { Message } from '#contracts/positions.ts'
import type { City } from '#server/mock/city/index.ts'
import { createJourneys } from '#server/mock/seed/journeys/journeys.ts'
import { PROFILES } from '#server/mock/seed/journeys/lives.ts'
import type { Profile } from '#server/mock/seed/journeys/profile.ts'
import { batteryLevel } from '#server/mock/seed/records/battery.ts'
import { FLEETS } from '#server/mock/seed/records/fleets.ts'
import type { World } from '#server/ports/world.ts'
import { ingest } from '#server/tracking/ingest/ingest.ts'
import { type Batch, batchFixes, computeDueFixes } from './due-fixes.ts'
import { listTrackerSettings, type TrackerSettings } from './simulator.store.ts'
import { createSteering, type Steering } from './steering.ts'

export type SimulatorOptions = { world: World; city: City; seed: number; anchor: Date; send?: typeof ingest }

type NextMessage = { identifier: string; at: Date }

export type Simulator = {
  /** Sends every fix due since the last run, in order of time; returns how many were new. */
  runUntil(now: Date): Promise<number>
  /** Finds the tracker among the `wanted` that sends next; null when none does within a month. */
  findNextMessage(after: Date, wanted?: (settings: TrackerSettings) => boolean): Promise<NextMessage | null>
  steering: Steering
  /** Seconds from the anchor, the unit of drives and silences. */
  secondOf(at: Date): number
  dateOf(second: number): Date
}

const DAY_SECONDS = 86_400
/** Spans in seconds; most trackers send within the hour, so a short span is tried first. */
const LOOK_AHEAD_SECONDS = [3600, DAY_SECONDS, 31 * DAY_SECONDS]
const BATCHES_PER_TRANSACTION = 100

/**
 * Creates the simulator, which sends through `ingest` like a real gateway. Its only state is the last simulated second: positions follow
 * from the time, past messages from the database. After a standstill it catches up at most one day.
 */
export function createSimulator({ world, city, seed, anchor, send = ingest }: SimulatorOptions): Simulator {
  const journeys = createJourneys(city, seed)
  const steering = createSteering()
  const identifiers = () => [...new Set([...SIMULATED_TRACKERS.keys(), ...steering.drives.keys()])]
  const secondOf = (at: Date) => Math.floor((at.getTime() - anchor.getTime()) / 1000)
  let playedUntil = secondOf(world.clock.now()) - DAY_SECONDS

  function computeFixes(identifier: string, settings: TrackerSettings, from: number, to: number) {
    const actor = SIMULATED_TRACKERS.get(identifier)
    const own = actor ? computeDueFixes(journeys, actor.profile, settings, { anchor, from, to }) : []
    return steering.steer(identifier, own, from, to)
  }

  function collectBatches(settings: TrackerSettings, to: number): Batch[] {
    const { identifier } = settings
    return identifier === null ? [] : batchFixes(identifier, computeFixes(identifier, settings, playedUntil + 1, to))
  }

  const dateOf = (second: number) => new Date(anchor.getTime() + second * 1000)

  async function sendBatch(types: Map<string | null, TrackerSettings['type']>, { identifier, second, fixes }: Batch) {
    const actor = SIMULATED_TRACKERS.get(identifier)
    const message: Message = {
      identifier,
      ...(actor && { battery: batteryLevel(types.get(identifier)!, actor.battery, second) }),
      positions: fixes.map(({ lat, lng, precision, second: at, measured }) => ({
        ...{ lat, lng, precision, datetime: dateOf(at).toISOString() },
        ...measured,
      })),
    }
    return send({ ...world, clock: { now: () => dateOf(second) } }, message)
  }

  return {
    steering,
    secondOf,
    dateOf,
    async findNextMessage(after, wanted = () => true) {
      const from = secondOf(after) + 1
      const settings = (await listTrackerSettings(world.db.read, identifiers())).filter(wanted)
      for (const span of LOOK_AHEAD_SECONDS) {
        const upcoming = settings.flatMap((one) => {
          const first = one.identifier === null ? undefined : computeFixes(one.identifier, one, from, from + span)[0]
          return first && one.identifier !== null ? [{ identifier: one.identifier, second: first.second }] : []
        })
        const [first] = upcoming.sort((a, b) => a.second - b.second)
        if (first) return { identifier: first.identifier, at: dateOf(first.second) }
      }
      return null
    },
    async runUntil(now) {
      const to = secondOf(now)
      if (to <= playedUntil) return 0
      const settings = await listTrackerSettings(world.db.read, identifiers())
      const types = new Map(settings.map(({ identifier, type }) => [identifier, type]))
      const batches = settings
        .flatMap((one) => collectBatches(one, to))
        .sort((a, b) => a.second - b.second || compareText(a.identifier, b.identifier))
      playedUntil = to
      let accepted = 0
      for (let first = 0; first < batches.length; first += BATCHES_PER_TRANSACTION) {
        const results = await Promise.allSettled(
          batches.slice(first, first + BATCHES_PER_TRANSACTION).map((batch) => sendBatch(types, batch)),
        )
        for (const result of results) {
          if (result.status === 'fulfilled') accepted += result.value.accepted
          else world.log.warn({ err: result.reason }, 'a message of a simulated tracker was rejected')
        }
      }
      return accepted
    },
  }
}

const compareText = (a: string, b: string) => Number(a > b) - Number(a < b)

/** A simulated tracker: its profile, and its battery at the anchor. */
export type SimulatedTracker = { profile: Profile; battery: number }

/** Simulated trackers by identifier, because a tracker keeps its profile when it changes owners. */
const SIMULATED_TRACKERS: ReadonlyMap<string, SimulatedTracker> = new Map(
  FLEETS.flatMap(({ head, devices }) =>
    devices.flatMap(({ id, battery }, index) => {
      const profile = PROFILES.get(id)
      return profile ? [[`${head}${String(index + 1).padStart(2, '0')}`, { profile, battery }] as const] : []
    }),
  ),
)
