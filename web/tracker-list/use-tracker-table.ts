import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import type { Device } from '#contracts/devices.ts'
import { parseId } from '#contracts/lib/common.ts'
import type { DeviceSort } from '#contracts/lib/constants.ts'
import { matchesSearch } from '#web/trackers/filters.ts'
import { savedSort, saveSort, sortDevices } from '#web/trackers/sort.ts'

/** Search, tag and sort of the table. `?tag=` preselects a tag. The sort is saved; none means the server's order. */
export function useTrackerTable(devices: readonly Device[]) {
  const { i18n } = useTranslation()
  const [query, setQuery] = useState('')
  const [params] = useSearchParams()
  const [tag, setTag] = useState(() => (params.get('tag') ? parseId(params.get('tag')) : null))
  const [sort, setSort] = useState(savedSort)
  const matching = devices.filter((device) => (tag === null || device.tag?.id === tag) && matchesSearch(device, query))
  return {
    query,
    setQuery,
    tag,
    setTag,
    sort,
    sortBy(next: DeviceSort | null) {
      setSort(next)
      saveSort(next)
    },
    shown: sortDevices(matching, sort, i18n.language),
  }
}

export type TrackerTable = ReturnType<typeof useTrackerTable>
