import { Button } from '@mantine/core'
import { IconFileImport, IconPackages } from '@tabler/icons-react'
import { useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { STOCK_LIMITS, STOCK_SORTS, STOCK_STATES, type StockItem } from '#contracts/operator/stock.ts'
import { DEVICE_TYPES } from '#contracts/rules/tracking/tracker.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { addressWith, useAddress } from '#web/lib/navigation/use-address.ts'
import { sessionQuery } from '#web/operator/session/session.queries.ts'
import { isSignedIn } from '#web/operator/session/session-state.ts'
import { ChosenBar, useChoice } from '#web/operator/workbench/choice.tsx'
import { useSorting } from '#web/operator/workbench/sorting.ts'
import { type WorkColumn, WorkTable } from '#web/operator/workbench/work-table.tsx'
import { Details, SearchForm, Workbench } from '#web/operator/workbench/workbench.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { Page } from '#web/ui/page.tsx'
import { BlockDialog, type Blocking } from './block-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { ItemDetails } from './item-details.tsx'
import { type StockFilter, stockQuery } from './stock.queries.ts'
import classes from './stock-screen.module.css'
import { StockStateBadge } from './stock-state.tsx'

function useMayHandle() {
  const { data: state } = useSuspenseQuery(sessionQuery())
  return isSignedIn(state) && staffRights.handleStock.some((role) => role === state.staff.role)
}

/** The manufactured trackers: filtered, with what happened to each, and the import of a list. */
export default function StockScreen() {
  const { t } = useTranslation()
  const [address, change] = useAddress()
  const [isImporting, setImporting] = useState(false)
  const [blocking, setBlocking] = useState<Blocking | null>(null)
  const mayHandle = useMayHandle()
  const filter = readFilter(address)
  const chosen = address.get('item')
  const open = (item: string) => change({ item })
  const actions = mayHandle && (
    <Button h={44} leftSection={<IconFileImport size={18} />} onClick={() => setImporting(true)}>
      {t('operator.stock.import')}
    </Button>
  )
  const details = chosen && (
    <Details label={chosen} onClose={() => open('')}>
      <ItemDetails identifier={chosen} {...(mayHandle && { onBlock: setBlocking })} />
    </Details>
  )
  return (
    <Page title={t('operator.screens.stock')} lead={t('operator.stock.lead')} actions={actions}>
      <Workbench details={details}>
        <SearchForm label={t('operator.stock.search')} value={filter.search ?? ''} onFind={(search) => change({ search })} />
        <Filters filter={filter} onChange={change} />
        <Part key={JSON.stringify(filter)}>
          <Items filter={filter} opened={chosen} mayHandle={mayHandle} onBlock={setBlocking} />
        </Part>
      </Workbench>
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
      {blocking && <BlockDialog {...blocking} onClose={() => setBlocking(null)} />}
    </Page>
  )
}

function readFilter(search: URLSearchParams): StockFilter {
  const text = (name: string) => search.get(name) || undefined
  const state = pickListed(STOCK_STATES, text('state') ?? '', undefined)
  const type = pickListed(DEVICE_TYPES, text('type') ?? '', undefined)
  const [wanted, batch] = [text('search'), text('batch')]
  return { ...(wanted && { search: wanted }), ...(type && { type }), ...(state && { state }), ...(batch && { batch }) }
}

type FiltersProps = { filter: StockFilter; onChange: (changed: Record<string, string>) => void }

function Filters({ filter, onChange }: FiltersProps) {
  const { t } = useTranslation()
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onChange({ batch: String(new FormData(event.currentTarget).get('batch')).trim() })
  }
  const all = { value: '', label: t('operator.stock.all') }
  const { batch = '', state = '', type = '' } = filter
  return (
    <form className={classes.filters} onSubmit={find}>
      <SelectField
        label={t('operator.staff.state')}
        value={state}
        onChange={({ target }) => onChange({ state: target.value })}
        data={[all, ...STOCK_STATES.map((value) => ({ value, label: t(`operator.stock.states.${value}`) }))]}
      />
      <SelectField
        label={t('operator.stock.type')}
        value={type}
        onChange={({ target }) => onChange({ type: target.value })}
        data={[all, ...DEVICE_TYPES.map((value) => ({ value, label: value }))]}
      />
      <TextField
        key={batch}
        name="batch"
        label={t('operator.stock.batch')}
        defaultValue={batch}
        autoComplete="off"
        maxLength={STOCK_LIMITS.batch}
      />
    </form>
  )
}

type ItemsProps = {
  filter: StockFilter
  opened: string | null
  mayHandle: boolean
  onBlock: (blocking: Blocking) => void
}

function Items({ filter, opened, mayHandle, onBlock }: ItemsProps) {
  const { t } = useTranslation()
  const { shown, ...sorting } = useSorting(STOCK_SORTS, 'identifier')
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(stockQuery({ ...filter, sort: shown }))
  const columns = useColumns(opened !== null)
  const items = data.pages.flatMap((page) => page.items)
  const {
    chosen,
    clear,
    columns: boxes,
  } = useChoice({
    rows: items,
    keyOf: ({ identifier }) => identifier,
    labelOf: (identifier) => t('operator.stock.choose', { identifier }),
  })
  if (items.length === 0) {
    return (
      <Empty icon={<IconPackages size={30} />} title={t('operator.stock.none')}>
        {t('operator.stock.noneLead')}
      </Empty>
    )
  }
  const block = (isBlocked: boolean) => {
    onBlock({ identifiers: chosen, isBlocked })
    clear()
  }
  return (
    <>
      <WorkTable
        name="stock"
        label={t('operator.screens.stock')}
        rows={items}
        keyOf={({ identifier }) => identifier}
        {...(opened && { chosen: opened })}
        sorting={sorting}
        columns={mayHandle ? [...columns, ...boxes] : columns}
      />
      {hasNextPage && (
        <Button variant="default" h={44} mt={16} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('operator.log.more')}
        </Button>
      )}
      <ChosenBar count={chosen.length} onClear={clear}>
        <Button variant="default" h={44} onClick={() => block(true)}>
          {t('operator.stock.block')}
        </Button>
        <Button variant="default" h={44} onClick={() => block(false)}>
          {t('operator.stock.unblock')}
        </Button>
      </ChosenBar>
    </>
  )
}

/** Next to an opened item there is space for few columns; it shows the others itself. */
function useColumns(areFew: boolean): WorkColumn<StockItem>[] {
  const [address] = useSearchParams()
  const { t } = useTranslation()
  const formats = useFormats()
  const linkTo = (identifier: string) => addressWith(address, { item: identifier })
  const first: WorkColumn<StockItem>[] = [
    {
      sort: 'identifier',
      head: t('operator.stock.identifier'),
      cell: ({ identifier }) => (
        <Link to={linkTo(identifier)} className={classes.number}>
          {identifier}
        </Link>
      ),
    },
    {
      id: 'serial',
      sort: 'serial',
      head: t('operator.stock.serial'),
      cell: ({ serial }) => <span className={classes.number}>{serial}</span>,
    },
    { id: 'type', sort: 'type', head: t('operator.stock.type'), cell: ({ type }) => <span className={classes.number}>{type}</span> },
    {
      id: 'state',
      head: t('operator.staff.state'),
      cell: ({ state }) => (
        <span className={classes.number}>
          <StockStateBadge state={state} />
        </span>
      ),
    },
  ]
  if (areFew) return first
  return [
    ...first,
    { id: 'batch', sort: 'batch', head: t('operator.stock.batch'), cell: ({ batch }) => batch },
    { id: 'months', sort: 'months', head: t('operator.stock.months'), isEnd: true, cell: ({ months }) => formats.number(months) },
    {
      id: 'added',
      sort: 'added',
      head: t('operator.stock.added'),
      isEnd: true,
      cell: ({ added_at }) => added_at && formats.date(added_at),
    },
  ]
}
