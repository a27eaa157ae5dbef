import { useState } from 'react'
import type { Device } from '#contracts/devices.ts'
import { useNow } from '#web/lib/clock.ts'
import { byLiveliness } from '#web/lib/trackers/by-liveliness.ts'
import { ALL, type Filter, found, matches } from '#web/lib/trackers/filters.ts'

/** Searching and filtering the trackers; the counts are of all of them. */
export function useBrowse(devices: readonly Device[]) {
  const now = useNow()
  const [query, setQuery] = useState('')
  const [filter, setFilter] = useState<Filter>(ALL)
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
    shown: byLiveliness(devices, now).filter((device) => matches(device, filter, now) && found(device, query)),
    moving: count('moving'),
    attention: count('attention'),
  }
}

export type Browse = ReturnType<typeof useBrowse>
