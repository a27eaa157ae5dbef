import { Button } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { type OwnerRequest, REQUEST_SORTS, REQUEST_STATUSES } from '#contracts/operator/requests.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { addressWith, useAddress } from '#web/lib/navigation/use-address.ts'
import { useSorting } from '#web/operator/workbench/sorting.ts'
import { WorkTable } from '#web/operator/workbench/work-table.tsx'
import { Details, Pills, SearchForm, Workbench } from '#web/operator/workbench/workbench.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { Page } from '#web/ui/page.tsx'
import { RequestBody, useWish } from './request-card.tsx'
import { type RequestFilter, requestsQuery } from './requests.queries.ts'

/** What owners ask for, by state, and the decision of each request. */
export default function RequestsScreen() {
  const { t } = useTranslation()
  const [address, change] = useAddress()
  const status = pickListed(REQUEST_STATUSES, address.get('status') ?? '', 'pending')
  const search = address.get('search') ?? ''
  const filter = { status, ...(search && { search }) }
  const opened = address.get('request')
  const close = () => change({ request: '' })
  return (
    <Page title={t('operator.screens.requests')} lead={t('operator.requests.lead')}>
      <Workbench
        details={
          opened && (
            <Details label={opened} onClose={close}>
              <OpenedRequest reference={opened} filter={filter} onDecided={close} />
            </Details>
          )
        }
      >
        <SearchForm label={t('operator.requests.search')} value={search} onFind={(text) => change({ search: text, request: '' })} />
        <Pills
          label={t('operator.customer.state')}
          values={REQUEST_STATUSES}
          value={status}
          wordOf={(each) => t(`operator.requests.states.${each}`)}
          onChange={(each) => change({ status: each === 'pending' ? '' : each, request: '' })}
        />
        <Part key={JSON.stringify(filter)}>
          <Requests filter={filter} opened={opened} />
        </Part>
      </Workbench>
    </Page>
  )
}

type ListProps = { filter: RequestFilter; opened: string | null }

function Requests({ filter, opened }: ListProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const wish = useWish()
  const { shown, ...sorting } = useSorting(REQUEST_SORTS, 'date')
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(requestsQuery({ ...filter, sort: shown }))
  const requests = data.pages.flatMap((page) => page.requests)
  if (requests.length === 0) {
    return (
      <Empty icon={<IconInbox size={30} />} title={t('operator.requests.none')}>
        {filter.search && t('operator.orders.noneLead')}
      </Empty>
    )
  }
  return (
    <>
      <WorkTable<OwnerRequest>
        name="requests"
        label={t('operator.screens.requests')}
        rows={requests}
        keyOf={({ reference }) => reference}
        {...(opened && { chosen: opened })}
        sorting={sorting}
        columns={[
          { head: t('operator.requests.one'), cell: ({ reference }) => <RequestLink reference={reference} /> },
          { id: 'wish', head: t('operator.requests.wish'), cell: wish },
          {
            id: 'asks',
            isExtra: true,
            head: t('operator.requests.asks'),
            cell: ({ requester, email }) => requester?.name || requester?.email || email,
          },
          {
            id: 'date',
            sort: 'date',
            head: t('operator.customer.date'),
            cell: ({ created_at }) => <time dateTime={created_at}>{formats.date(created_at)}</time>,
          },
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

type OpenedProps = { reference: string; filter: RequestFilter; onDecided: () => void }

/** A request of the list, which has all about it. */
function OpenedRequest({ reference, filter, onDecided }: OpenedProps) {
  const { t } = useTranslation()
  const wish = useWish()
  const { shown } = useSorting(REQUEST_SORTS, 'date')
  const { data } = useSuspenseInfiniteQuery(requestsQuery({ ...filter, sort: shown }))
  const request = data.pages.flatMap(({ requests }) => requests).find((each) => each.reference === reference)
  if (!request) return <Empty icon={<IconInbox size={30} />} title={t('operator.requests.none')} />
  return (
    <>
      <h2>{wish(request)}</h2>
      <RequestBody request={request} onDecided={onDecided} />
    </>
  )
}

/** Keeps the filters in the address. */
function RequestLink({ reference }: { reference: string }) {
  const [address] = useSearchParams()
  return <Link to={addressWith(address, { request: reference })}>{reference}</Link>
}
