import { IconChevronDown, IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { parseId } from '#contracts/lib/common.ts'
import { DEVICE_SORTS, type DeviceSort } from '#contracts/rules/tracking/sorting.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { createSearch, createSorter, listTags, savedSort, saveSort } from '#web/trackers/filters.ts'
import { type Owners, useOwners } from '#web/trackers/use-owners.ts'
import { isLong } from '#web/ui/lists/long-rows.tsx'
import { useFindKey } from '#web/ui/lists/use-find-key.ts'
import classes from './controls.module.css'

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

/** For support, the trackers are grouped by owner, sorted within each. */
const groupByOwner = (devices: readonly Device[], owners: NonNullable<Owners>, language: string) => {
  const { compare } = new Intl.Collator(language)
  return devices.toSorted((a, b) => compare(owners.get(a.id) ?? '', owners.get(b.id) ?? ''))
}

export type TrackerTable = ReturnType<typeof useTrackerTable>

export function Controls({ devices, list }: { devices: readonly Device[]; list: TrackerTable }) {
  const { t } = useTranslation()
  const tags = listTags(devices)
  const field = useFindKey(isLong(devices))
  return (
    <search className={classes.controls}>
      <span className={classes.field}>
        <IconSearch size={18} aria-hidden="true" />
        <input
          ref={field}
          type="text"
          inputMode="search"
          autoComplete="off"
          aria-label={t('trackers.search')}
          placeholder={t('trackers.search')}
          value={list.query}
          onChange={({ target }) => list.setQuery(target.value)}
          onKeyDown={({ key }) => key === 'Escape' && list.setQuery('')}
        />
      </span>
      {tags.length > 0 && (
        <label className={classes.choice}>
          {t('tracker.tag')}
          <span>
            <select value={list.tag ?? ''} onChange={({ target }) => list.setTag(target.value ? parseId(target.value) : null)}>
              <option value="">{t('trackers.everyTag')}</option>
              {tags.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
            <IconChevronDown size={16} aria-hidden="true" />
          </span>
        </label>
      )}
      <label className={classes.choice}>
        {t('trackers.sort.label')}
        <span>
          <select
            value={list.sort ?? ''}
            onChange={({ target }) => list.sortBy(DEVICE_SORTS.find((sort) => sort === target.value) ?? null)}
          >
            <option value="">{t('trackers.sort.standard')}</option>
            {DEVICE_SORTS.map((sort) => (
              <option key={sort} value={sort}>
                {t(`trackers.sort.${sort}`)}
              </option>
            ))}
          </select>
          <IconChevronDown size={16} aria-hidden="true" />
        </span>
      </label>
    </search>
  )
}
