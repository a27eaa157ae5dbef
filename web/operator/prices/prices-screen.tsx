import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import type { OperatorPrice, PriceChange } from '#contracts/operator/prices.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { addressWith, useAddress } from '#web/lib/navigation/use-address.ts'
import { sessionQuery } from '#web/operator/session/session.queries.ts'
import { isSignedIn } from '#web/operator/session/session-state.ts'
import { useSortedRows, type ValuedColumn } from '#web/operator/workbench/sorting.ts'
import { type WorkColumn, WorkTable } from '#web/operator/workbench/work-table.tsx'
import { Badges, Details, Pills, Workbench } from '#web/operator/workbench/workbench.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { Page } from '#web/ui/page.tsx'
import { PriceChanges } from './price-changes.tsx'
import { PriceDetails } from './price-details.tsx'
import { SetPriceDialog, WithdrawDialog } from './price-dialogs.tsx'
import { operatorPricesQuery } from './prices.queries.ts'
import { usePriceWords } from './use-price-words.ts'

const VIEWS = ['list', 'history'] as const

function useMayHandle() {
  const { data: state } = useSuspenseQuery(sessionQuery())
  return isSignedIn(state) && staffRights.handleMoney.some((role) => role === state.staff.role)
}

type Open = { set: OperatorPrice } | { withdraw: PriceChange }

/** What plans, options and replacements cost now, what is coming, and what held before. */
export default function PricesScreen() {
  const { t } = useTranslation()
  const [address, change] = useAddress()
  const [open, setOpen] = useState<Open | null>(null)
  const { data } = useSuspenseQuery(operatorPricesQuery())
  const mayHandle = useMayHandle()
  const view = pickListed(VIEWS, address.get('view') ?? '', 'list')
  const chosen = data.prices.find(({ id }) => id === address.get('price'))
  const choose = (price: string) => change({ price })
  const nameOf = (id: string) => data.prices.find((price) => price.id === id)?.name ?? id
  const handling = mayHandle && {
    onSet: (price: OperatorPrice) => setOpen({ set: price }),
    onWithdraw: (one: PriceChange) => setOpen({ withdraw: one }),
  }
  const details = chosen && (
    <Details label={`${chosen.name} ${chosen.currency.toUpperCase()}`} onClose={() => choose('')}>
      <PriceDetails price={chosen} {...handling} />
    </Details>
  )
  return (
    <Page title={t('operator.screens.prices')} lead={t('operator.prices.lead')}>
      <Workbench details={details ?? null}>
        <Pills
          label={t('operator.prices.show')}
          values={VIEWS}
          value={view}
          wordOf={(each) => t(`operator.prices.views.${each}`)}
          onChange={(each) => change({ view: each === 'list' ? '' : each, price: '' })}
        />
        <Part key={view}>
          {view === 'list' ? <Prices prices={data.prices} chosen={chosen?.id ?? null} /> : <PriceChanges nameOf={nameOf} />}
        </Part>
      </Workbench>
      {open && 'set' in open && <SetPriceDialog price={open.set} noticeDays={data.notice_days} onClose={() => setOpen(null)} />}
      {open && 'withdraw' in open && (
        <WithdrawDialog change={open.withdraw} name={nameOf(open.withdraw.price)} onClose={() => setOpen(null)} />
      )}
    </Page>
  )
}

type PricesProps = { prices: readonly OperatorPrice[]; chosen: string | null }

function Prices({ prices, chosen }: PricesProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const [address, change] = useAddress()
  const { amountFrom } = usePriceWords()
  const currencies = [...new Set(prices.map(({ currency }) => currency))].toSorted()
  const currency = pickListed(currencies, address.get('currency') ?? '', null)
  const shown = prices.filter((price) => currency === null || price.currency === currency)
  const filter = (code: string) => change({ currency: code === 'all' ? '' : code })
  const columns: (ValuedColumn<OperatorPrice> & WorkColumn<OperatorPrice>)[] = [
    {
      head: t('operator.prices.name'),
      sort: 'name',
      value: ({ name }) => name,
      cell: ({ id, name }) => <Link to={addressWith(address, { price: id })}>{name}</Link>,
    },
    { id: 'id', isExtra: true, head: t('operator.prices.id'), sort: 'id', value: ({ id }) => id, cell: ({ id }) => id },
    {
      id: 'now',
      head: t('operator.prices.now'),
      sort: 'now',
      value: ({ amount }) => amount,
      isEnd: true,
      cell: (price) => formats.price(price.amount, price.currency),
    },
    {
      id: 'coming',
      head: t('operator.prices.coming'),
      cell: ({ coming }) =>
        coming.length > 0 && (
          <Badges>
            {coming.map((each) => (
              <Badge key={each.id} tone="warn">
                {amountFrom(each)}
              </Badge>
            ))}
          </Badges>
        ),
    },
    {
      id: 'told',
      isExtra: true,
      head: t('operator.prices.noticed'),
      isEnd: true,
      cell: ({ coming }) => coming.length > 0 && formats.number(coming.reduce((sum, { noticed }) => sum + noticed, 0)),
    },
    {
      id: 'sale',
      head: t('operator.prices.sale'),
      cell: ({ is_offered }) => t(`operator.prices.${is_offered ? 'offered' : 'notOffered'}`),
    },
  ]
  const { rows, sorting } = useSortedRows(shown, columns)
  return (
    <>
      <Pills
        label={t('operator.prices.currency')}
        values={['all', ...currencies]}
        value={currency ?? 'all'}
        wordOf={(each) => (each === 'all' ? t('operator.prices.all') : each.toUpperCase())}
        onChange={filter}
      />
      <WorkTable<OperatorPrice>
        name="prices"
        label={t('operator.screens.prices')}
        rows={rows}
        sorting={sorting}
        keyOf={({ id }) => id}
        {...(chosen && { chosen })}
        columns={columns}
      />
    </>
  )
}
