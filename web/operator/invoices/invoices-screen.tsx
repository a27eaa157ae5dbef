import { Button } from '@mantine/core'
import { IconDownload, IconReceiptOff } from '@tabler/icons-react'
import { useQuery, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { INVOICE_FILTERS, INVOICE_SORTS, type OperatorInvoice } from '#contracts/operator/invoices.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { addressWith, useAddress } from '#web/lib/navigation/use-address.ts'
import { sessionQuery } from '#web/operator/session/session.queries.ts'
import { isSignedIn } from '#web/operator/session/session-state.ts'
import { useSorting } from '#web/operator/workbench/sorting.ts'
import { WorkTable } from '#web/operator/workbench/work-table.tsx'
import { Details, Pills, SearchForm, Workbench } from '#web/operator/workbench/workbench.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { Page } from '#web/ui/page.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { InvoiceDetails } from './invoice-details.tsx'
import { InvoiceState } from './invoice-state.tsx'
import { type ListFilter, operatorInvoicesQuery } from './invoices.queries.ts'

const FILTERS = ['all', ...INVOICE_FILTERS] as const

/** Invoices of all customers, what came back of them, and their export. */
export default function OperatorInvoicesScreen() {
  const { t } = useTranslation()
  const [address, change] = useAddress()
  const { data: session } = useQuery({ ...sessionQuery(), enabled: false })
  const [isExporting, setExporting] = useState(false)
  const state = pickListed(INVOICE_FILTERS, address.get('state') ?? '', undefined)
  const search = address.get('search') ?? ''
  const chosen = /^\d{1,15}$/.test(address.get('invoice') ?? '') ? address.get('invoice') : null
  const mayHandle = isSignedIn(session) && staffRights.handleMoney.some((role) => role === session.staff.role)
  const choose = (invoice: string) => change({ invoice })
  const download = (
    <Button variant="default" h={44} leftSection={<IconDownload size={18} />} onClick={() => setExporting(true)}>
      {t('operator.invoices.export.title')}
    </Button>
  )
  return (
    <Page title={t('operator.screens.invoices')} lead={t('operator.invoices.lead')} actions={mayHandle && download}>
      <Workbench
        details={
          chosen && (
            <Details label={`${t('operator.invoices.number')} ${chosen}`} onClose={() => choose('')}>
              <InvoiceDetails id={Number(chosen)} mayRefund={mayHandle} />
            </Details>
          )
        }
      >
        <SearchForm label={t('operator.invoices.search')} value={search} onFind={(text) => change({ search: text })} />
        <Pills
          label={t('operator.invoices.state')}
          values={FILTERS}
          value={state ?? 'all'}
          wordOf={(each) => t(`operator.invoices.states.${each}`)}
          onChange={(each) => change({ state: each === 'all' ? '' : each })}
        />
        <Part>
          <Invoices filter={{ ...(state && { state }), ...(search && { search }) }} chosen={chosen} />
        </Part>
      </Workbench>
      {isExporting && <ExportDialog onClose={() => setExporting(false)} />}
    </Page>
  )
}

type ListProps = { filter: ListFilter; chosen: string | null }

function Invoices({ filter, chosen }: ListProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { shown, ...sorting } = useSorting(INVOICE_SORTS, '-date')
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(
    operatorInvoicesQuery({ ...filter, sort: shown }),
  )
  const invoices = data.pages.flatMap((page) => page.invoices)
  if (invoices.length === 0) {
    return (
      <Empty icon={<IconReceiptOff size={30} />} title={t('operator.invoices.none')}>
        {t('operator.invoices.noneLead')}
      </Empty>
    )
  }
  return (
    <>
      <WorkTable<OperatorInvoice>
        name="invoices"
        label={t('operator.screens.invoices')}
        rows={invoices}
        keyOf={({ id }) => String(id)}
        {...(chosen && { chosen })}
        sorting={sorting}
        columns={[
          { head: t('operator.invoices.number'), cell: (invoice) => <InvoiceLink invoice={invoice} /> },
          { id: 'customer', head: t('operator.invoices.customer'), cell: ({ customer: { name, email } }) => name || email },
          {
            id: 'date',
            sort: 'date',
            head: t('operator.invoices.date'),
            cell: ({ date }) => <time dateTime={date}>{formats.date(date)}</time>,
          },
          { id: 'order', isExtra: true, head: t('operator.invoices.order'), cell: ({ order }) => order },
          { id: 'state', head: t('operator.invoices.state'), cell: (invoice) => <InvoiceState invoice={invoice} /> },
          {
            id: 'amount',
            sort: 'amount',
            head: t('operator.invoices.amount'),
            isEnd: true,
            cell: ({ amount, currency }) => formats.price(amount, currency),
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

/** Keeps the filters in the address. */
function InvoiceLink({ invoice: { id, number } }: { invoice: OperatorInvoice }) {
  const [address] = useSearchParams()
  return <Link to={addressWith(address, { invoice: String(id) })}>{number}</Link>
}
