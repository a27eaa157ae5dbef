import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import { findContainingPlace } from '#contracts/rules/geo/place.ts'
import { useNow } from '#web/lib/clock.ts'
import { usePlaces } from '#web/places/use-places.ts'
import { type Filter, matchesFilter, matchesSearch, NO_FILTER, savedFilter, saveFilter } from '#web/trackers/filters.ts'
import { savedSort, sortDevices } from '#web/trackers/sort.ts'

/**
 * Search, filter and order of the trackers: the server's order, or the sort chosen on /trackers. Counts are of all trackers, not the
 * filtered ones.
 */
export function useBrowse(devices: readonly Device[]) {
  const places = usePlaces()
  const { i18n } = useTranslation()
  const now = useNow()
  const [query, setQuery] = useState('')
  const [filter, keepFilter] = useState(() => savedFilter(devices))
  const setFilter = (next: Filter) => {
    saveFilter(next)
    keepFilter(next)
  }
  const placeOf = ({ tracker_status }: Device) => findContainingPlace(places, tracker_status.last_position)?.name
  const [sort] = useState(savedSort)
  const matching = devices.filter((device) => matchesFilter(device, filter, now) && matchesSearch(device, query, placeOf(device)))
  const count = (kind: 'moving' | 'attention') => devices.filter((device) => matchesFilter(device, { kind }, now)).length
  return {
    query,
    setQuery,
    filter,
    setFilter,
    reset() {
      setQuery('')
      setFilter(NO_FILTER)
    },
    now,
    placeOf,
    shown: sortDevices(matching, sort, i18n.language),
    moving: count('moving'),
    attention: count('attention'),
  }
}

export type Browse = ReturnType<typeof useBrowse>
