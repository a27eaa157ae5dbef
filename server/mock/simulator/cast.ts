import { LIVES } from '#server/mock/seed/journeys/lives.ts'
import type { Profile } from '#server/mock/seed/journeys/profile.ts'
import { FLEETS } from '#server/mock/seed/records/fleets.ts'

/** A simulated tracker: the life it leads, and its battery at the anchor. */
export type Actor = { profile: Profile; battery: number }

/** Who is simulated, by identifier: a tracker keeps its life when it changes hands. */
export const CAST: ReadonlyMap<string, Actor> = new Map(
  FLEETS.flatMap(({ head, devices }) =>
    devices.flatMap(({ id, battery }, index) => {
      const profile = LIVES.get(id)
      return profile ? [[`${head}${String(index + 1).padStart(2, '0')}`, { profile, battery }] as const] : []
    }),
  ),
)
