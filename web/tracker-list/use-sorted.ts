import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import type { Device } from '#contracts/devices.ts'
import type { DeviceSort } from '#contracts/lib/constants.ts'
import { found } from '#web/trackers/filters.ts'
import { inOrder, rememberedSort, rememberSort } from '#web/trackers/sort.ts'

/** Search, tag and sort of the table. `?tag=` preselects a tag. The sort is saved; none means the server's order. */
export function useSorted(devices: readonly Device[]) {
  const { i18n } = useTranslation()
  const [query, setQuery] = useState('')
  const [params] = useSearchParams()
  const [tag, setTag] = useState(() => Number(params.get('tag')) || null)
  const [sort, setSort] = useState(rememberedSort)
  const matching = devices.filter((device) => (tag === null || device.tag?.id === tag) && found(device, query))
  return {
    query,
    setQuery,
    tag,
    setTag,
    sort,
    sortBy(next: DeviceSort | null) {
      setSort(next)
      rememberSort(next)
    },
    shown: inOrder(matching, sort, i18n.language),
  }
}

export type Sorted = ReturnType<typeof useSorted>
