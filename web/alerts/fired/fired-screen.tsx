import { Button } from '@mantine/core'
import { IconChecks, IconChevronDown } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { FIRING_DAYS, FIRING_KINDS } from '#contracts/firings.ts'
import { parseId } from '#contracts/lib/common.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { addressWith, useAddress } from '#web/lib/navigation/use-address.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { useMedia } from '#web/lib/use-media.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import disclosure from '#web/ui/disclosure.module.css'
import { Part } from '#web/ui/feedback/part.tsx'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { DateField } from '#web/ui/form/date-field.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { Split, useIsSplit } from '#web/ui/lists/split.tsx'
import { Page } from '#web/ui/page.tsx'
import { AlertsTabs } from './alerts-tabs.tsx'
import classes from './fired.module.css'
import { FiringDetails } from './firing-details.tsx'
import { type FiringFilter, firingsQuery, useSeeFirings } from './firings.queries.ts'
import { Firings } from './firings.tsx'

/** The alerts that fired, newest first, and the details of one: beside the list if the window is wide, otherwise in its place. */
export default function FiredScreen() {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const isSplit = useIsSplit()
  const hasDetails = useFeature('alertInbox')
  const filter = readFilter(search, hasDetails)
  const newest = useInfiniteQuery({ ...firingsQuery(filter), enabled: false }).data?.pages[0]?.firings[0]?.id
  const entry = hasDetails ? readId(search, 'entry') : undefined
  const chosen = entry ?? (isSplit && hasDetails ? newest : undefined)
  const details = chosen !== undefined && (
    <Part key={chosen}>
      <FiringDetails id={chosen} />
    </Part>
  )
  const list = addressWith(search, { entry: '' })
  if (details && !isSplit)
    return (
      <Page isNarrow title={t('title.alertsFired')} back={{ to: `/alerts/fired${list}`, label: t('title.alertsFired') }}>
        {details}
      </Page>
    )
  return (
    <Page
      isNarrow={!details}
      title={t('title.alertsFired')}
      back={{ to: '/alerts', label: t('title.alerts') }}
      lead={t('fired.lead', { count: FIRING_DAYS })}
    >
      <AlertsTabs />
      <Filters />
      {hasDetails && <Unread filter={filter} />}
      <Split details={details}>
        <Part key={JSON.stringify(filter)}>
          <Firings filter={filter} to={({ id }) => addressWith(search, { entry: String(id) })} chosen={isSplit ? chosen : undefined} />
        </Part>
      </Split>
    </Page>
  )
}

const readId = (search: URLSearchParams, name: string) => (search.has(name) ? parseId(search.get(name)) : undefined)

const readFilter = (search: URLSearchParams, hasDetails: boolean): FiringFilter => ({
  device: readId(search, 'tracker'),
  place: readId(search, 'place'),
  ...(hasDetails && { kind: FIRING_KINDS.find((kind) => kind === search.get('kind')), isUnread: search.has('unread') }),
  ...(hasDetails && { from: readDay(search, 'from'), to: readDay(search, 'to') }),
})

const readDay = (search: URLSearchParams, name: string) => toDay(search.get(name) ?? '')
/** Undefined for a text that is no day. */
const toDay = (text: string) => (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined)

/** In windows with little space they are folded, so that the list is in view; the chosen values stay visible. */
function Filters() {
  const { t } = useTranslation()
  const hasPlaces = useFeature('places')
  const hasKinds = useFeature('alertInbox')
  const devices = useQuery(devicesQuery()).data ?? []
  const places = useQuery(placesQuery()).data ?? []
  const kinds = FIRING_KINDS.map((kind) => ({ id: kind, name: t(`fired.kinds.${kind}`) }))
  const [search] = useSearchParams()
  const formats = useFormats()
  const isSmall = useMedia('(max-width: 768px), (max-height: 500px)')
  const filters: FilterProps[] = [
    { name: 'tracker', label: t('fired.tracker'), all: t('fired.allTrackers'), of: devices },
    ...(hasPlaces ? [{ name: 'place', label: t('fired.place'), all: t('fired.allPlaces'), of: places }] : []),
    ...(hasKinds ? [{ name: 'kind', label: t('fired.kind'), all: t('fired.allKinds'), of: kinds }] : []),
  ]
  const fields = (
    <div className={classes.filters}>
      {filters.map((filter) => (
        <Filter key={filter.name} {...filter} />
      ))}
      {hasKinds && <DayFilter name="from" label={t('fired.fromDay')} />}
      {hasKinds && <DayFilter name="to" label={t('fired.toDay')} />}
    </div>
  )
  if (!isSmall) return fields
  const chosen = filters.flatMap(({ name, of }) => of.find(({ id }) => String(id) === search.get(name))?.name ?? [])
  const days = hasKinds ? ['from', 'to'].map((name) => readDay(search, name)) : []
  if (days.some(Boolean)) chosen.push(days.map((day) => (day ? formats.date(`${day}T12:00`) : '')).join('–'))
  return (
    <details className={`${disclosure.disclosure} ${classes.folded}`}>
      <summary>
        <span>{[t('trackers.filter'), chosen.join(', ')].filter(Boolean).join(': ')}</span>
        <IconChevronDown size={18} aria-hidden="true" />
      </summary>
      {fields}
    </details>
  )
}

type FilterProps = { name: string; label: string; all: string; of: readonly { id: number | string; name: string }[] }

function Filter({ name, label, all, of }: FilterProps) {
  const [search, change] = useAddress()
  return (
    <SelectField
      label={label}
      value={search.get(name) ?? ''}
      onChange={({ target }) => change({ [name]: target.value, entry: '' })}
      data={[{ value: '', label: all }, ...of.map((one) => ({ value: String(one.id), label: one.name }))]}
    />
  )
}

/** The first or the last day of the list. */
function DayFilter({ name, label }: { name: 'from' | 'to'; label: string }) {
  const [search, change] = useAddress()
  return (
    <DateField
      type="date"
      label={label}
      defaultValue={readDay(search, name) ?? ''}
      onValue={(value) => change({ [name]: toDay(value) ?? '', entry: '' })}
    />
  )
}

/** Shows only what is unread, and marks all as read. */
function Unread({ filter }: { filter: FiringFilter }) {
  const { t } = useTranslation()
  const [, change] = useAddress()
  const { mutate, isPending } = useSeeFirings()
  const unread = useQuery(sessionQuery()).data?.unread_alerts ?? 0
  const listed = useInfiniteQuery({ ...firingsQuery(filter), enabled: false }).data?.pages.flatMap((page) => page.firings) ?? []
  // Numbers follow the order of publishing, so an alert with an old position may have the largest.
  const largest = Math.max(...listed.map(({ id }) => id))
  return (
    <div className={classes.bar}>
      <CheckboxField checked={filter.isUnread === true} onChange={({ target }) => change({ unread: target.checked ? '1' : '' })}>
        {t('fired.onlyUnread')}
      </CheckboxField>
      {unread > 0 && listed.length > 0 && (
        <Button variant="default" h={44} loading={isPending} leftSection={<IconChecks size={18} />} onClick={() => mutate(largest)}>
          {t('fired.seeAll')}
        </Button>
      )}
    </div>
  )
}
