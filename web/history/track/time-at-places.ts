import type { Place } from '#contracts/places.ts'
import { placeAt } from '#contracts/rules/geo/place.ts'
import type { Track } from './track.ts'

type Stay = { place: Place | null; ms: number }

/** Time stopped at each place and elsewhere (`place` null), longest first. */
export function timeAtPlaces({ fixes, legs }: Track, places: readonly Place[]): Stay[] {
  const stays = new Map<Place | null, number>()
  for (const { kind, first, durationMs } of legs) {
    if (kind !== 'stop') continue
    const place = placeAt(places, fixes[first]) ?? null
    stays.set(place, (stays.get(place) ?? 0) + durationMs)
  }
  return [...stays].map(([place, ms]) => ({ place, ms })).sort((a, b) => b.ms - a.ms)
}
