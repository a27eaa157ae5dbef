import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import type { Device } from '#contracts/devices.ts'
import { parseId } from '#contracts/lib/common.ts'
import type { DeviceSort } from '#contracts/lib/constants.ts'
import { createSearch } from '#web/trackers/filters.ts'
import { createSorter, savedSort, saveSort } from '#web/trackers/sort.ts'
import { useOwners } from '#web/trackers/use-owners.ts'

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
    return sortDevices(matching, sort, i18n.language)
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

export type TrackerTable = ReturnType<typeof useTrackerTable>
