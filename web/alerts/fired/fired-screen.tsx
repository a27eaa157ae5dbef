import { Button } from '@mantine/core'
import { IconBattery1, IconBell, IconCar, IconHistory, IconLogin2, IconLogout2 } from '@tabler/icons-react'
import { infiniteQueryOptions, useQuery, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { type AlertFiring, FIRING_DAYS, FIRING_KINDS, firings } from '#contracts/firings.ts'
import { parseId } from '#contracts/lib/common.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { toDay } from '#web/lib/period.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Entries, Entry, EntryDisc } from '#web/ui/lists/entry.tsx'
import { Page } from '#web/ui/page.tsx'
import { AlertsTabs } from './alerts-tabs.tsx'
import classes from './fired.module.css'

const firingsApi = createClient(firings, clientPorts)

type FiringFilter = { device?: number | undefined; place?: number | undefined }

const firingsQuery = ({ device, place }: FiringFilter) =>
  infiniteQueryOptions({
    queryKey: ['firings', device ?? null, place ?? null],
    queryFn: ({ pageParam: before, signal }) =>
      firingsApi.list(
        { query: { ...(device !== undefined && { device }), ...(place !== undefined && { place }), ...(before && { before }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

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

function Firings({ filter }: { filter: FiringFilter }) {
  const { t } = useTranslation()
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(firingsQuery(filter))
  const firings = data.pages.flatMap((page) => page.firings)
  if (firings.length === 0)
    return (
      <Empty icon={<IconBell size={30} />} title={t('fired.none')}>
        {t('fired.noneLead')}
      </Empty>
    )
  return (
    <>
      <Entries label={t('title.alertsFired')}>
        {firings.map((firing) => (
          <FiringEntry key={firing.id} firing={firing} />
        ))}
      </Entries>
      {hasNextPage && (
        <Button variant="default" h={44} mt={16} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('fired.more')}
        </Button>
      )}
    </>
  )
}

const ICONS = { place_enter: IconLogin2, place_leave: IconLogout2, vehicle_alert: IconCar, low_battery: IconBattery1, other: IconBell }

function FiringEntry({ firing: { at, kind: sent, device, device_name: tracker, place_name, mails } }: { firing: AlertFiring }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const hasHistory = useFeature('history')
  const kind = pickListed(FIRING_KINDS, sent, 'other')
  const Icon = ICONS[kind]
  const sentence = t(`fired.says.${kind}`, { tracker, place: place_name ?? '…' })
  return (
    <Entry
      name={sentence}
      icon={
        <EntryDisc>
          <Icon size={22} />
        </EntryDisc>
      }
      side={
        hasHistory && (
          <IconButton
            label={t('fired.day')}
            of={sentence}
            Icon={IconHistory}
            to={`/trackers/${encodeURIComponent(device)}/history?day=${toDay(at)}`}
          />
        )
      }
    >
      <strong>{sentence}</strong>
      <small>
        {formats.dateTime(at)} · {mails > 0 ? t('fired.mails', { count: mails }) : t('fired.noMail')}
      </small>
    </Entry>
  )
}
