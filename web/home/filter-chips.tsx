import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import { type Filter, isSameFilter, listTags, NO_FILTER } from '#web/trackers/filters.ts'
import classes from './filter-chips.module.css'
import type { Browse } from './use-browse.ts'

export function FilterChips({ devices, browse }: { devices: readonly Device[]; browse: Browse }) {
  const { t } = useTranslation()
  const chips: { filter: Filter; label: string }[] = [
    { filter: NO_FILTER, label: t('trackers.all') },
    { filter: { kind: 'moving' }, label: t('trackers.moving', { n: browse.moving }) },
    { filter: { kind: 'attention' }, label: t('trackers.attention', { n: browse.attention }) },
    ...listTags(devices).map(({ id, name }) => ({ filter: { kind: 'tag' as const, id }, label: name })),
  ]
  return (
    <fieldset className={classes.chips} aria-label={t('trackers.filter')}>
      {chips.map(({ filter, label }) => (
        <button
          key={filter.kind === 'tag' ? filter.id : filter.kind}
          type="button"
          aria-pressed={isSameFilter(filter, browse.filter)}
          onClick={() => browse.setFilter(isSameFilter(filter, browse.filter) ? NO_FILTER : filter)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}
