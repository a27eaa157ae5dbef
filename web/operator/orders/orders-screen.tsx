import { Button } from '@mantine/core'
import { IconPackageOff } from '@tabler/icons-react'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { type OperatorOrder, ORDER_STATES } from '#contracts/operator/orders.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { Details, Pills, RowKeys, SearchForm, Workbench } from '#web/operator/workbench/workbench.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { DataTable } from '#web/ui/lists/data-table.tsx'
import { Page } from '#web/ui/page.tsx'
import { OrderDetails } from './order-details.tsx'
import { OrderStateBadge } from './order-state-badge.tsx'
import { type OrderFilter, operatorOrdersQuery } from './orders.queries.ts'

const FILTERS = ['all', ...ORDER_STATES] as const

/** Orders of all customers, by state, with what is done next. */
export default function OperatorOrdersScreen() {
  const { t } = useTranslation()
  const [address, setAddress] = useSearchParams()
  const state = pickListed(ORDER_STATES, address.get('state') ?? '', undefined)
  const search = address.get('search') ?? ''
  const chosen = address.get('order')
  const change = (changed: Record<string, string>) => {
    const entries = Object.entries({ ...Object.fromEntries(address), ...changed }).filter(([, value]) => value !== '')
    setAddress(Object.fromEntries(entries), { replace: true })
  }
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
          <Orders filter={{ ...(state && { state }), ...(search && { search }) }} chosen={chosen} onChoose={choose} />
        </Part>
      </Workbench>
    </Page>
  )
}

type ListProps = { filter: OrderFilter; chosen: string | null; onChoose: (reference: string) => void }

function Orders({ filter, chosen, onChoose }: ListProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(operatorOrdersQuery(filter))
  const orders = data.pages.flatMap((page) => page.orders)
  if (orders.length === 0) {
    return (
      <Empty icon={<IconPackageOff size={30} />} title={t('operator.orders.none')}>
        {t('operator.orders.noneLead')}
      </Empty>
    )
  }
  return (
    <>
      <DataTable<OperatorOrder>
        label={t('operator.screens.orders')}
        rows={orders}
        keyOf={({ reference }) => reference}
        {...(chosen && { chosen })}
        columns={[
          { head: t('operator.orders.order'), cell: ({ reference }) => <OrderLink reference={reference} /> },
          { head: t('operator.orders.customer'), cell: ({ customer: { name, email } }) => name || email },
          { head: t('operator.orders.contents'), cell: ({ contents }) => contents },
          { head: t('operator.orders.date'), cell: ({ date }) => <time dateTime={date}>{formats.date(date)}</time> },
          { head: t('operator.orders.state'), cell: ({ state }) => <OrderStateBadge state={state} /> },
          { head: t('operator.orders.total'), isEnd: true, cell: ({ total, currency }) => formats.price(total, currency) },
        ]}
      />
      {hasNextPage && (
        <Button variant="default" h={44} mt={16} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('operator.log.more')}
        </Button>
      )}
      <RowKeys ids={orders.map(({ reference }) => reference)} chosen={chosen} onChoose={onChoose} onClose={() => onChoose('')} />
    </>
  )
}

/** Keeps the filters in the address. */
function OrderLink({ reference }: { reference: string }) {
  const [address] = useSearchParams()
  return <Link to={`?${new URLSearchParams({ ...Object.fromEntries(address), order: reference })}`}>{reference}</Link>
}
