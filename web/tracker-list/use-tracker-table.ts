import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { parseId } from '#contracts/lib/common.ts'
import type { DeviceSort } from '#contracts/lib/constants.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { createSearch } from '#web/trackers/filters.ts'
import { createSorter, savedSort, saveSort } from '#web/trackers/sort.ts'
import { type Owners, useOwners } from '#web/trackers/use-owners.ts'

/** Search, tag and sort of the table. `?tag=` preselects a tag. The sort is saved; none means the server's order. */
export function useTrackerTable(devices: readonly Device[]) {
  const { i18n } = useTranslation()
  const owners = useOwners()
  const [query, setQuery] = useState('')
  const [params] = useSearchParams()
  const [tag, setTag] = useState(() => (params.get('tag') ? parseId(params.get('tag')) : null))
  const [sort, setSort] = useState(savedSort)
  const [sortDevices] = useState(createSorter)
  const shown = useMemo(() => {
    const matchesQuery = createSearch(query)
    const matching = devices.filter((device) => (tag === null || device.tag?.id === tag) && matchesQuery(device, owners?.get(device.id)))
    const sorted = sortDevices(matching, sort, i18n.language)
    return owners ? groupByOwner(sorted, owners, i18n.language) : sorted
  }, [devices, query, tag, sort, sortDevices, i18n.language, owners])
  return {
    owners,
    query,
    setQuery,
    tag,
    setTag,
    sort,
    sortBy(next: DeviceSort | null) {
      setSort(next)
      saveSort(next)
    },
    shown,
  }
}

/** For support, the trackers of one owner after another, sorted within each. */
const groupByOwner = (devices: readonly Device[], owners: NonNullable<Owners>, language: string) => {
  const { compare } = new Intl.Collator(language)
  return devices.toSorted((a, b) => compare(owners.get(a.id) ?? '', owners.get(b.id) ?? ''))
}

export type TrackerTable = ReturnType<typeof useTrackerTable>
