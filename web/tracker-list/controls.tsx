import { IconChevronDown, IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { parseId } from '#contracts/lib/common.ts'
import { DEVICE_SORTS } from '#contracts/lib/constants.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { listTags } from '#web/trackers/filters.ts'
import { isLong } from '#web/ui/lists/long-rows.tsx'
import { useFindKey } from '#web/ui/lists/use-find-key.ts'
import classes from './controls.module.css'
import type { TrackerTable } from './use-tracker-table.ts'

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
