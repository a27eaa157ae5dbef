import { Button } from '@mantine/core'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { PRICE_CHANGE_STATES, type PriceChange } from '#contracts/operator/prices.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useSortedRows, type ValuedColumn } from '#web/operator/workbench/sorting.ts'
import { WorkTable } from '#web/operator/workbench/work-table.tsx'
import { Lines, Note } from '#web/operator/workbench/workbench.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { priceChangesQuery } from './prices.queries.ts'
import { usePriceWords } from './use-price-words.ts'

const TONES = { coming: 'warn', begun: 'good', withdrawn: 'plain' } as const

const STATE_ORDER: readonly string[] = PRICE_CHANGE_STATES

/** An unknown state is shown as is. */
function State({ state }: Pick<PriceChange, 'state'>) {
  const { t } = useTranslation()
  const known = pickListed(PRICE_CHANGE_STATES, state, null)
  return known ? <Badge tone={TONES[known]}>{t(`operator.prices.states.${known}`)}</Badge> : <Badge>{state}</Badge>
}

/** The changes of one price as lines, or of all prices as a table. */
type Props = { price: string } | { nameOf: (price: string) => string }

export function PriceChanges(props: Props) {
  const { t } = useTranslation()
  const of = 'price' in props ? props.price : undefined
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(priceChangesQuery(of))
  const { amountFrom } = usePriceWords()
  // What is coming stands above the lines of one price already.
  const changes = data.pages.flatMap((page) => page.changes).filter(({ state }) => of === undefined || state !== 'coming')
  if (changes.length === 0) return of === undefined && <Note>{t('operator.prices.noHistory')}</Note>
  return (
    <>
      {'price' in props ? (
        <Lines
          title={t('operator.prices.views.history')}
          lines={changes.map((change) => ({ key: String(change.id), label: amountFrom(change), end: <State {...change} /> }))}
        />
      ) : (
        <Table changes={changes} isWhole={!hasNextPage} nameOf={props.nameOf} />
      )}
      {hasNextPage && (
        <Button variant="default" h={44} mt={16} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('operator.log.more')}
        </Button>
      )}
    </>
  )
}

type TableProps = { changes: readonly PriceChange[]; isWhole: boolean; nameOf: (price: string) => string }

function Table({ changes, isWhole, nameOf }: TableProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { day } = usePriceWords()
  const titleOf = ({ price, currency }: PriceChange) => `${nameOf(price)} ${currency.toUpperCase()}`
  const columns: (ValuedColumn<PriceChange> & { id?: string })[] = [
    { sort: 'name', value: titleOf, head: t('operator.prices.name'), cell: titleOf },
    { id: 'from', sort: 'from', value: ({ from }) => from, head: t('operator.prices.from'), cell: ({ from }) => day(from) },
    {
      id: 'former',
      sort: 'former',
      value: ({ former_amount }) => former_amount,
      head: t('operator.prices.former'),
      isEnd: true,
      cell: (each) => formats.price(each.former_amount, each.currency),
    },
    {
      id: 'amount',
      sort: 'amount',
      value: ({ amount }) => amount,
      head: t('operator.prices.amount'),
      isEnd: true,
      cell: (each) => formats.price(each.amount, each.currency),
    },
    {
      id: 'state',
      sort: 'state',
      value: ({ state }) => STATE_ORDER.indexOf(state),
      head: t('operator.staff.state'),
      cell: (each) => <State {...each} />,
    },
    {
      id: 'changed',
      sort: 'changed',
      value: ({ noticed }) => noticed,
      head: t('operator.prices.changed'),
      isEnd: true,
      cell: ({ changed, noticed }) => noticed > 0 && `${formats.number(changed)} / ${formats.number(noticed)}`,
    },
    {
      id: 'failing',
      sort: 'failing',
      value: ({ failing }) => failing,
      head: t('operator.prices.failing'),
      isEnd: true,
      cell: ({ failing }) => failing > 0 && formats.number(failing),
    },
    { id: 'by', sort: 'by', value: (each) => each.created_by, head: t('operator.prices.by'), cell: ({ created_by }) => created_by },
  ]
  const { rows, sorting } = useSortedRows(changes, columns, 'sort_history')
  return (
    <WorkTable<PriceChange>
      name="price_history"
      label={t('operator.prices.views.history')}
      rows={rows}
      keyOf={({ id }) => id}
      {...(isWhole && { sorting })}
      columns={columns}
    />
  )
}
