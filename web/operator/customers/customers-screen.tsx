import { Button } from '@mantine/core'
import { IconUserSearch } from '@tabler/icons-react'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { FOUND_BY, type ListedCustomer } from '#contracts/operator/customers.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { DataTable } from '#web/ui/lists/data-table.tsx'
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
      <Search key={q} q={q} onFind={(text) => setSearch(text ? { q: text } : {})} />
      <Part key={`list ${q}`}>
        <Found q={q} />
      </Part>
    </Page>
  )
}

function Search({ q, onFind }: { q: string; onFind: (text: string) => void }) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onFind(field.current?.value.trim() ?? '')
  }
  return (
    <form className={classes.search} onSubmit={find}>
      <TextField
        ref={field}
        type="search"
        label={t('operator.customers.search')}
        placeholder={t('operator.customers.placeholder')}
        defaultValue={q}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
        rightSection={<kbd className={classes.key}>/</kbd>}
      />
      <Button type="submit" h={44}>
        {t('operator.log.find')}
      </Button>
    </form>
  )
}

const isTyping = (target: EventTarget | null) => target instanceof HTMLElement && ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)

function Found({ q }: { q: string }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(customersQuery(q))
  const customers = data.pages.flatMap((page) => page.customers)
  if (customers.length === 0)
    return (
      <Empty icon={<IconUserSearch size={30} />} title={t(q ? 'operator.customers.none' : 'operator.customers.empty')}>
        {q && t('operator.customers.noneLead')}
      </Empty>
    )
  return (
    <>
      <DataTable
        label={t('operator.screens.customers')}
        rows={customers}
        keyOf={({ account }) => account}
        columns={[
          { head: t('operator.customers.name'), cell: (customer) => <CustomerLink customer={customer} /> },
          { head: t('operator.email'), cell: ({ email }) => email },
          { head: t('operator.customers.number'), cell: ({ number }) => number },
          ...(q ? [{ head: t('operator.customers.found'), cell: (customer: ListedCustomer) => <FoundBy customer={customer} /> }] : []),
          { head: t('operator.customers.trackers'), isEnd: true, cell: ({ trackers }) => formats.number(trackers) },
          { head: t('operator.customers.since'), isEnd: true, cell: ({ created_at }) => formats.date(created_at) },
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
