import type { Trigger } from '#contracts/lib/constants.ts'

type Watching = { place: number | null; trigger: Trigger | null; vehicle_alert: boolean }

/** What an alert lacks: a place and a trigger go together, and only a vehicle alert does without both. */
export function lackingOf({ place, trigger, vehicle_alert }: Watching): ('place' | 'trigger')[] {
  if (vehicle_alert && place === null && trigger === null) return []
  return [...(place === null ? (['place'] as const) : []), ...(trigger === null ? (['trigger'] as const) : [])]
}
