import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import { ALL, type Filter, sameFilter, tagsOf } from '#web/trackers/filters.ts'
import classes from './filter-chips.module.css'
import type { Browse } from './use-browse.ts'

export function FilterChips({ devices, browse }: { devices: readonly Device[]; browse: Browse }) {
  const { t } = useTranslation()
  const chips: { filter: Filter; label: string }[] = [
    { filter: ALL, label: t('trackers.all') },
    { filter: { kind: 'moving' }, label: t('trackers.moving', { n: browse.moving }) },
    { filter: { kind: 'attention' }, label: t('trackers.attention', { n: browse.attention }) },
    ...tagsOf(devices).map(({ id, name }) => ({ filter: { kind: 'tag' as const, id }, label: name })),
  ]
  return (
    <fieldset className={classes.chips} aria-label={t('trackers.filter')}>
      {chips.map(({ filter, label }) => (
        <button
          key={filter.kind === 'tag' ? filter.id : filter.kind}
          type="button"
          aria-pressed={sameFilter(filter, browse.filter)}
          onClick={() => browse.setFilter(sameFilter(filter, browse.filter) ? ALL : filter)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}
