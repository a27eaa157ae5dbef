import { Button } from '@mantine/core'
import { IconMapPinSearch } from '@tabler/icons-react'
import { infiniteQueryOptions, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { type OwnedTracker, TRACKER_SORTS, type TrackerSort } from '#contracts/operator/trackers.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useAddress } from '#web/lib/navigation/use-address.ts'
import { Numbers, OpenAsSupport, Small, TrackerState } from '#web/operator/customers/customer-tables.tsx'
import { operatorTrackersApi } from '#web/operator/session/operator.api.ts'
import { useSorting } from '#web/operator/workbench/sorting.ts'
import { WorkTable } from '#web/operator/workbench/work-table.tsx'
import { SearchForm } from '#web/operator/workbench/workbench.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { Page } from '#web/ui/page.tsx'

const trackersQuery = (search: string, sort: TrackerSort) =>
  infiniteQueryOptions({
    queryKey: ['operator trackers', search, sort],
    queryFn: ({ pageParam, signal }) =>
      operatorTrackersApi.list({ query: { sort, ...(search && { search }), ...(pageParam && { after: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    // Accounts add and remove trackers at any time.
    staleTime: 0,
  })

/** The trackers of all accounts with their owners. */
export default function OperatorTrackersScreen() {
  const { t } = useTranslation()
  const [address, change] = useAddress()
  const search = address.get('search') ?? ''
  return (
    <Page title={t('operator.screens.trackers')} lead={t('operator.trackers.lead')}>
      <SearchForm label={t('operator.trackers.search')} value={search} onFind={(text) => change({ search: text })} />
      <Part key={search}>
        <Trackers search={search} />
      </Part>
    </Page>
  )
}

function Trackers({ search }: { search: string }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const { shown, ...sorting } = useSorting(TRACKER_SORTS, '-added')
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(trackersQuery(search, shown))
  const trackers = data.pages.flatMap((page) => page.trackers)
  if (trackers.length === 0) {
    return (
      <Empty icon={<IconMapPinSearch size={30} />} title={t('operator.trackers.none')}>
        {search && t('operator.trackers.noneLead')}
      </Empty>
    )
  }
  return (
    <>
      <WorkTable<OwnedTracker>
        name="trackers"
        label={t('operator.screens.trackers')}
        rows={trackers}
        keyOf={({ id }) => String(id)}
        sorting={sorting}
        columns={[
          {
            sort: 'name',
            head: t('operator.customers.name'),
            cell: ({ account, name }) => <Link to={`/operator/customers/${account}`}>{name}</Link>,
          },
          { id: 'owner', head: t('operator.trackers.owner'), cell: (tracker) => <Owner tracker={tracker} /> },
          { id: 'number', head: t('operator.customers.number'), cell: (tracker) => <Numbers tracker={tracker} /> },
          { id: 'state', head: t('operator.customer.state'), cell: (tracker) => <TrackerState tracker={tracker} /> },
          {
            id: 'message',
            head: t('operator.customer.lastMessage'),
            isEnd: true,
            cell: ({ last_message_at }) => (last_message_at ? formats.age(last_message_at, now) : t('operator.staff.never')),
          },
          { id: 'added', sort: 'added', head: t('operator.trackers.added'), isEnd: true, cell: ({ added_at }) => formats.date(added_at) },
          { head: t('operator.actions'), isUnlabelled: true, isEnd: true, cell: ({ id }) => <OpenAsSupport id={id} /> },
        ]}
      />
      {hasNextPage && (
        <Button variant="default" h={44} mt={16} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('operator.log.more')}
        </Button>
      )}
    </>
  )
}

const Owner = ({ tracker: { owner, number } }: { tracker: OwnedTracker }) => (
  <span>
    {owner?.name || number}
    {owner && <Small>{owner.email}</Small>}
  </span>
)
