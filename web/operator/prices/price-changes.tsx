import { Button } from '@mantine/core'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { PRICE_CHANGE_STATES, type PriceChange } from '#contracts/operator/prices.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { Lines, Note } from '#web/operator/workbench/workbench.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { DataTable } from '#web/ui/lists/data-table.tsx'
import { priceChangesQuery } from './prices.queries.ts'
import { usePriceWords } from './use-price-words.ts'

const TONES = { coming: 'warn', begun: 'good', withdrawn: 'plain' } as const

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
        <Table changes={changes} nameOf={props.nameOf} />
      )}
      {hasNextPage && (
        <Button variant="default" h={44} mt={16} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('operator.log.more')}
        </Button>
      )}
    </>
  )
}

function Table({ changes, nameOf }: { changes: readonly PriceChange[]; nameOf: (price: string) => string }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { day } = usePriceWords()
  return (
    <DataTable
      label={t('operator.prices.views.history')}
      rows={changes}
      keyOf={({ id }) => id}
      columns={[
        { head: t('operator.prices.name'), cell: ({ price, currency }) => `${nameOf(price)} ${currency.toUpperCase()}` },
        { head: t('operator.prices.from'), cell: ({ from }) => day(from) },
        { head: t('operator.prices.former'), isEnd: true, cell: (each) => formats.price(each.former_amount, each.currency) },
        { head: t('operator.prices.amount'), isEnd: true, cell: (each) => formats.price(each.amount, each.currency) },
        { head: t('operator.staff.state'), cell: (each) => <State {...each} /> },
        {
          head: t('operator.prices.changed'),
          isEnd: true,
          cell: ({ changed, noticed }) => noticed > 0 && `${formats.number(changed)} / ${formats.number(noticed)}`,
        },
        { head: t('operator.prices.failing'), isEnd: true, cell: ({ failing }) => failing > 0 && formats.number(failing) },
        { head: t('operator.prices.by'), cell: ({ created_by }) => created_by },
      ]}
    />
  )
}
