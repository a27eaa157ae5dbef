import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import { placeAt } from '#contracts/rules/geo/place.ts'
import { useNow } from '#web/lib/clock.ts'
import { usePlaces } from '#web/places/use-places.ts'
import { ALL, type Filter, found, matches, rememberedFilter, rememberFilter } from '#web/trackers/filters.ts'
import { inOrder, rememberedSort } from '#web/trackers/sort.ts'

/**
 * Search, filter and order of the trackers: the server's order, or the sort chosen on /trackers. Counts are of all trackers, not the
 * filtered ones.
 */
export function useBrowse(devices: readonly Device[]) {
  const places = usePlaces()
  const { i18n } = useTranslation()
  const now = useNow()
  const [query, setQuery] = useState('')
  const [filter, keepFilter] = useState(() => rememberedFilter(devices))
  const setFilter = (next: Filter) => {
    rememberFilter(next)
    keepFilter(next)
  }
  const placeOf = ({ tracker_status }: Device) => placeAt(places, tracker_status.last_position)?.name
  const [sort] = useState(rememberedSort)
  const matching = devices.filter((device) => matches(device, filter, now) && found(device, query, placeOf(device)))
  const count = (kind: 'moving' | 'attention') => devices.filter((device) => matches(device, { kind }, now)).length
  return {
    query,
    setQuery,
    filter,
    setFilter,
    reset() {
      setQuery('')
      setFilter(ALL)
    },
    now,
    /** Returns the name of the place a tracker is at. */
    placeOf,
    shown: inOrder(matching, sort, i18n.language),
    moving: count('moving'),
    attention: count('attention'),
  }
}

export type Browse = ReturnType<typeof useBrowse>
