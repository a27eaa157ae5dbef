import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DEVICE_SORTS, type DeviceSort } from '#contracts/constants.ts'
import type { Device } from '#contracts/devices.ts'
import { deviceSorts } from '#contracts/rules/device-sorts.ts'
import { storage } from '#web/lib/storage.ts'
import { found } from '#web/lib/trackers/filters.ts'

const remembered = () => DEVICE_SORTS.find((sort) => sort === storage.get('trackersSort')) ?? null

/** Search, tag and sort; the sort is remembered, none is the order of the server (C-06, D-23). */
export function useSorted(devices: readonly Device[]) {
  const { i18n } = useTranslation()
  const [query, setQuery] = useState('')
  const [tag, setTag] = useState<number | null>(null)
  const [sort, setSort] = useState<DeviceSort | null>(remembered)
  const matching = devices.filter((device) => (tag === null || device.tag?.id === tag) && found(device, query))
  return {
    query,
    setQuery,
    tag,
    setTag,
    sort,
    sortBy(next: DeviceSort | null) {
      setSort(next)
      if (next) storage.set('trackersSort', next)
      else storage.remove('trackersSort')
    },
    shown: sort ? matching.toSorted(deviceSorts(i18n.language)[sort]) : matching,
  }
}

export type Sorted = ReturnType<typeof useSorted>
