import { Button } from '@mantine/core'
import { IconBattery1, IconBell, IconCar, IconHistory, IconLogin2, IconLogout2 } from '@tabler/icons-react'
import { infiniteQueryOptions, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type AlertFiring, FIRING_KINDS, firings } from '#contracts/firings.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { toDay } from '#web/lib/period.ts'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Entries, Entry, EntryDisc } from '#web/ui/lists/entry.tsx'
import { Detail } from '#web/ui/lists/split.tsx'

const firingsApi = createClient(firings, clientPorts)

export type FiringFilter = { device?: number | undefined; place?: number | undefined }

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

/** What fired last, beside the rules. */
export const LastFired = () => (
  <Detail title={useTranslation().t('title.alertsFired')}>
    <Part>
      <Firings filter={{}} />
    </Part>
  </Detail>
)

export function Firings({ filter }: { filter: FiringFilter }) {
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
