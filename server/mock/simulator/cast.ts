import { LIVES } from '#server/mock/seed/journeys/lives.ts'
import type { Profile } from '#server/mock/seed/journeys/profile.ts'
import { FLEETS } from '#server/mock/seed/records/fleets.ts'

/** A simulated tracker: its profile, and its battery at the anchor. */
export type Actor = { profile: Profile; battery: number }

/** Simulated trackers by identifier, because a tracker keeps its profile when it changes owners. */
export const CAST: ReadonlyMap<string, Actor> = new Map(
  FLEETS.flatMap(({ head, devices }) =>
    devices.flatMap(({ id, battery }, index) => {
      const profile = LIVES.get(id)
      return profile ? [[`${head}${String(index + 1).padStart(2, '0')}`, { profile, battery }] as const] : []
    }),
  ),
)
