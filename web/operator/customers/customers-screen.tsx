import { Button } from '@mantine/core'
import { IconUserSearch } from '@tabler/icons-react'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { CUSTOMER_SORTS, FOUND_BY, type ListedCustomer } from '#contracts/operator/customers.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useSorting } from '#web/operator/workbench/sorting.ts'
import { WorkTable } from '#web/operator/workbench/work-table.tsx'
import { SearchForm } from '#web/operator/workbench/workbench.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { Page } from '#web/ui/page.tsx'
import { customersQuery } from './customers.queries.ts'
import classes from './customers-screen.module.css'

/** Finds customers by one text. */
export default function CustomersScreen() {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  return (
    <Page title={t('operator.screens.customers')} lead={t('operator.customers.lead')}>
      <SearchForm
        label={t('operator.customers.search')}
        placeholder={t('operator.customers.placeholder')}
        value={q}
        onFind={(text) => setSearch(text ? { q: text } : {})}
      />
      <Part key={`list ${q}`}>
        <Found q={q} />
      </Part>
    </Page>
  )
}

function Found({ q }: { q: string }) {
  const { t } = useTranslation()
  const formats = useFormats()
  // What a search finds comes with the best match first.
  const { shown, ...sorting } = useSorting(CUSTOMER_SORTS, '-since')
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(
    q ? customersQuery(q) : customersQuery('', shown),
  )
  const customers = data.pages.flatMap((page) => page.customers)
  if (customers.length === 0)
    return (
      <Empty icon={<IconUserSearch size={30} />} title={t(q ? 'operator.customers.none' : 'operator.customers.empty')}>
        {q && t('operator.customers.noneLead')}
      </Empty>
    )
  return (
    <>
      <WorkTable
        name="customers"
        label={t('operator.screens.customers')}
        rows={customers}
        keyOf={({ account }) => account}
        {...(!q && { sorting })}
        columns={[
          { sort: 'name', head: t('operator.customers.name'), cell: (customer) => <CustomerLink customer={customer} /> },
          { id: 'email', sort: 'email', head: t('operator.email'), cell: ({ email }) => email },
          { id: 'number', head: t('operator.customers.number'), cell: ({ number }) => number },
          ...(q
            ? [{ id: 'found', head: t('operator.customers.found'), cell: (customer: ListedCustomer) => <FoundBy customer={customer} /> }]
            : []),
          { id: 'trackers', head: t('operator.customers.trackers'), isEnd: true, cell: ({ trackers }) => formats.number(trackers) },
          {
            id: 'since',
            sort: 'since',
            head: t('operator.customers.since'),
            isEnd: true,
            cell: ({ created_at }) => formats.date(created_at),
          },
        ]}
      />
      {q && !data.pages.at(-1)?.is_complete && <p className={classes.cut}>{t('operator.customers.cut', { number: customers.length })}</p>}
      {hasNextPage && (
        <Button variant="default" h={44} mt={16} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('operator.log.more')}
        </Button>
      )}
    </>
  )
}

const CustomerLink = ({ customer: { account, name, email } }: { customer: ListedCustomer }) => (
  <Link to={`/operator/customers/${account}`}>{name || email}</Link>
)

function FoundBy({ customer: { found } }: { customer: ListedCustomer }) {
  const { t } = useTranslation()
  const by = found && pickListed(FOUND_BY, found.by, null)
  return found && `${by ? t(`operator.customers.by.${by}`) : found.by}: ${found.value}`
}
