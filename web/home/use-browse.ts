import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Place } from '#contracts/places.ts'
import { findContainingPlace } from '#contracts/rules/geo/place.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { orderForMap } from '#web/home/map/map-order.ts'
import { useSteadyNow } from '#web/lib/clock.ts'
import { usePlaces } from '#web/places/places.queries.ts'
import {
  createSearch,
  createSorter,
  type Filter,
  matchesFilter,
  NO_FILTER,
  savedFilter,
  savedSort,
  saveFilter,
} from '#web/trackers/filters.ts'
import { type Owners, useOwners } from '#web/trackers/use-owners.ts'

/**
 * Search, filter and order of the trackers: the map's own order first, or the sort chosen on /trackers. Unused ones are separate unless the
 * list is searched, filtered or sorted. Counts are of all trackers, not the filtered ones.
 */
export function useBrowse(devices: readonly Device[]) {
  const places = usePlaces()
  const owners = useOwners()
  const { i18n } = useTranslation()
  const now = useSteadyNow()
  const [query, setQuery] = useState('')
  const [filter, keepFilter] = useState(() => savedFilter(devices))
  const setFilter = (next: Filter) => {
    saveFilter(next)
    keepFilter(next)
  }
  const placeOf = useMemo(() => createPlaceLookup(places, owners), [places, owners])
  const [sort] = useState(savedSort)
  const [sortDevices] = useState(createSorter)
  const shown = useMemo(() => {
    const matchesQuery = createSearch(query)
    const filtered = filter.kind === 'all' ? devices : devices.filter((device) => matchesFilter(device, filter, now))
    const matching = query.trim() ? filtered.filter((device) => matchesQuery(device, placeOf(device))) : filtered
    if (sort) return { used: sortDevices(matching, sort, i18n.language), unused: [] }
    const { used, unused } = orderForMap(matching, now)
    return matching === devices ? { used, unused } : { used: [...used, ...unused], unused: [] }
  }, [devices, filter, query, placeOf, now, sort, sortDevices, i18n.language])
  const counts = useMemo(() => {
    const count = (kind: 'moving' | 'attention') => devices.filter((device) => matchesFilter(device, { kind }, now)).length
    return { moving: count('moving'), attention: count('attention') }
  }, [devices, now])
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
    shown: shown.used,
    unused: shown.unused,
    ...counts,
  }
}

export type Browse = ReturnType<typeof useBrowse>

/**
 * Finds the name of the place at which a tracker is, once per tracker object; for support its owner, because places of all accounts would
 * not help.
 */
function createPlaceLookup(places: readonly Place[], owners: Owners) {
  const known = new WeakMap<Device, string | undefined>()
  return (device: Device) => {
    if (!known.has(device))
      known.set(device, owners ? owners.get(device.id) : findContainingPlace(places, device.tracker_status.last_position)?.name)
    return known.get(device)
  }
}
