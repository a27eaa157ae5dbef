import { Button } from '@mantine/core'
import { IconPackageOff } from '@tabler/icons-react'
import { useQuery, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { MAX_SHIPPED, type OperatorOrder, ORDER_SORTS, ORDER_STATES } from '#contracts/operator/orders.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { addressWith, useAddress } from '#web/lib/navigation/use-address.ts'
import { sessionQuery } from '#web/operator/session/session.queries.ts'
import { isSignedIn } from '#web/operator/session/session-state.ts'
import { ChosenBar, useChoice } from '#web/operator/workbench/choice.tsx'
import { useSorting } from '#web/operator/workbench/sorting.ts'
import { WorkTable } from '#web/operator/workbench/work-table.tsx'
import { Details, Pills, SearchForm, Workbench } from '#web/operator/workbench/workbench.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { Page } from '#web/ui/page.tsx'
import { OrderDetails } from './order-details.tsx'
import { OrderStateBadge } from './order-state-badge.tsx'
import { type OrderFilter, operatorOrdersQuery } from './orders.queries.ts'
import { PrintLabels } from './print-labels.tsx'
import { ShipTogetherDialog } from './ship-together-dialog.tsx'

const FILTERS = ['all', ...ORDER_STATES] as const

/** Orders of all customers, by state, with what is done next. */
export default function OperatorOrdersScreen() {
  const { t } = useTranslation()
  const [address, change] = useAddress()
  const state = pickListed(ORDER_STATES, address.get('state') ?? '', undefined)
  const search = address.get('search') ?? ''
  const chosen = address.get('order')
  const choose = (order: string) => change({ order })
  return (
    <Page title={t('operator.screens.orders')} lead={t('operator.orders.lead')}>
      <Workbench
        details={
          chosen && (
            <Details label={chosen} onClose={() => choose('')}>
              <OrderDetails reference={chosen} />
            </Details>
          )
        }
      >
        <SearchForm label={t('operator.orders.search')} value={search} onFind={(text) => change({ search: text })} />
        <Pills
          label={t('operator.orders.state')}
          values={FILTERS}
          value={state ?? 'all'}
          wordOf={(each) => t(`operator.orders.states.${each}`)}
          onChange={(each) => change({ state: each === 'all' ? '' : each })}
        />
        <Part>
          <Orders filter={{ ...(state && { state }), ...(search && { search }) }} chosen={chosen} />
        </Part>
      </Workbench>
    </Page>
  )
}

type ListProps = { filter: OrderFilter; chosen: string | null }

function Orders({ filter, chosen }: ListProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { shown, ...sorting } = useSorting(ORDER_SORTS, '-date')
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(operatorOrdersQuery({ ...filter, sort: shown }))
  const { data: session } = useQuery({ ...sessionQuery(), enabled: false })
  const [isShipping, setShipping] = useState(false)
  const [isPrinting, setPrinting] = useState(false)
  const stopPrinting = useCallback(() => setPrinting(false), [])
  const mayMove = isSignedIn(session) && staffRights.handleStock.some((role) => role === session.staff.role)
  const orders = data.pages.flatMap((page) => page.orders)
  const {
    chosen: picked,
    clear,
    columns,
  } = useChoice({
    rows: orders,
    keyOf: ({ reference }) => reference,
    mayChoose: ({ state }) => state === 'to_pick' || state === 'picked',
    labelOf: (reference) => t('operator.orders.together.choose', { reference }),
    most: MAX_SHIPPED,
  })
  if (orders.length === 0) {
    return (
      <Empty icon={<IconPackageOff size={30} />} title={t('operator.orders.none')}>
        {t('operator.orders.noneLead')}
      </Empty>
    )
  }
  return (
    <>
      <WorkTable<OperatorOrder>
        name="orders"
        label={t('operator.screens.orders')}
        rows={orders}
        keyOf={({ reference }) => reference}
        {...(chosen && { chosen })}
        sorting={sorting}
        columns={[
          { head: t('operator.orders.order'), cell: ({ reference }) => <OrderLink reference={reference} /> },
          { id: 'customer', head: t('operator.orders.customer'), cell: ({ customer: { name, email } }) => name || email },
          { id: 'contents', isExtra: true, head: t('operator.orders.contents'), cell: ({ contents }) => contents },
          {
            id: 'date',
            sort: 'date',
            head: t('operator.orders.date'),
            cell: ({ date }) => <time dateTime={date}>{formats.date(date)}</time>,
          },
          { id: 'state', head: t('operator.orders.state'), cell: ({ state }) => <OrderStateBadge state={state} /> },
          {
            id: 'total',
            isExtra: true,
            sort: 'total',
            head: t('operator.orders.total'),
            isEnd: true,
            cell: ({ total, currency }) => formats.price(total, currency),
          },
          ...(mayMove ? columns : []),
        ]}
      />
      {hasNextPage && (
        <Button variant="default" h={44} mt={16} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('operator.log.more')}
        </Button>
      )}
      <ChosenBar count={picked.length} onClear={clear}>
        <Button h={44} onClick={() => setShipping(true)}>
          {t('operator.orders.together.button')}
        </Button>
        <Button variant="default" h={44} loading={isPrinting} onClick={() => setPrinting(true)}>
          {t('operator.orders.together.labels')}
        </Button>
      </ChosenBar>
      {isPrinting && (
        <Suspense>
          <PrintLabels references={picked} onPrinted={stopPrinting} />
        </Suspense>
      )}
      {isShipping && <ShipTogetherDialog references={picked} onClose={() => setShipping(false)} />}
    </>
  )
}

/** Keeps the filters in the address. */
function OrderLink({ reference }: { reference: string }) {
  const [address] = useSearchParams()
  return <Link to={addressWith(address, { order: reference })}>{reference}</Link>
}
