import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { FIRING_DAYS } from '#contracts/firings.ts'
import { parseId } from '#contracts/lib/common.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { Page } from '#web/ui/page.tsx'
import { AlertsTabs } from './alerts-tabs.tsx'
import classes from './fired.module.css'
import { Firings } from './firings.tsx'

/** The alerts that fired, newest first; of one tracker or place if the address names one. */
export default function FiredScreen() {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const filter = { device: readId(search, 'tracker'), place: readId(search, 'place') }
  return (
    <Page
      isNarrow
      title={t('title.alertsFired')}
      back={{ to: '/alerts', label: t('title.alerts') }}
      lead={t('fired.lead', { count: FIRING_DAYS })}
    >
      <AlertsTabs />
      <Filters />
      <Part key={JSON.stringify(filter)}>
        <Firings filter={filter} />
      </Part>
    </Page>
  )
}

const readId = (search: URLSearchParams, name: string) => (search.has(name) ? parseId(search.get(name)) : undefined)

function Filters() {
  const { t } = useTranslation()
  const hasPlaces = useFeature('places')
  const devices = useQuery(devicesQuery()).data ?? []
  const places = useQuery(placesQuery()).data ?? []
  return (
    <div className={classes.filters}>
      <Filter name="tracker" label={t('fired.tracker')} all={t('fired.allTrackers')} of={devices} />
      {hasPlaces && <Filter name="place" label={t('fired.place')} all={t('fired.allPlaces')} of={places} />}
    </div>
  )
}

type FilterProps = { name: string; label: string; all: string; of: readonly { id: number; name: string }[] }

function Filter({ name, label, all, of }: FilterProps) {
  const [search, setSearch] = useSearchParams()
  const choose = (value: string) => {
    const next = new URLSearchParams(search)
    if (value) next.set(name, value)
    else next.delete(name)
    setSearch(next, { replace: true })
  }
  return (
    <SelectField
      label={label}
      value={search.get(name) ?? ''}
      onChange={({ target }) => choose(target.value)}
      data={[{ value: '', label: all }, ...of.map((one) => ({ value: String(one.id), label: one.name }))]}
    />
  )
}
