import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { isLong } from '#web/ui/lists/long-rows.tsx'
import { SearchField } from '#web/ui/lists/search-field.tsx'
import { DUE_FILTERS, type DueFilter, matchesDue, SOON_DAYS } from './due.ts'
import classes from './selector-tools.module.css'

type Props = {
  devices: readonly Device[]
  query: string
  onQuery: (query: string) => void
  filters: readonly DueFilter[]
  onFilters: (filters: DueFilter[]) => void
}

/** Search and filters of a long list; a filter that matches nothing is left out. */
export function SelectorTools({ devices, query, onQuery, filters, onFilters }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const counts = DUE_FILTERS.map((filter) => ({ filter, count: devices.filter((device) => matchesDue(device, [filter], now)).length }))
  return (
    <div className={classes.tools}>
      <SearchField isLong={isLong(devices)} browse={{ query, setQuery: onQuery }} />
      <fieldset className={classes.chips} aria-label={t('trackers.filter')}>
        {counts
          .filter(({ filter, count }) => count > 0 || filters.includes(filter))
          .map(({ filter, count }) => {
            const isOn = filters.includes(filter)
            return (
              <button
                key={filter}
                type="button"
                aria-pressed={isOn}
                onClick={() => onFilters(isOn ? filters.filter((one) => one !== filter) : [...filters, filter])}
              >
                {t(`subscriptions.several.${filter}`, { days: formats.number(SOON_DAYS) })} <b>{formats.number(count)}</b>
              </button>
            )
          })}
      </fieldset>
    </div>
  )
}
