import { Button } from '@mantine/core'
import { IconReceiptOff } from '@tabler/icons-react'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { WITHDRAWAL_OUTCOMES } from '#contracts/billing/withdrawal.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { type OperatorWithdrawal, WITHDRAWAL_SORTS } from '#contracts/operator/withdrawals.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { addressWith, useAddress } from '#web/lib/navigation/use-address.ts'
import { useSorting } from '#web/operator/workbench/sorting.ts'
import { WorkTable } from '#web/operator/workbench/work-table.tsx'
import { Details, Pills, SearchForm, Workbench } from '#web/operator/workbench/workbench.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { Page } from '#web/ui/page.tsx'
import { WithdrawalDetails } from './withdrawal-details.tsx'
import { MoneyBadge, OutcomeBadge } from './withdrawal-state.tsx'
import { type WithdrawalFilter, withdrawalsQuery } from './withdrawals.queries.ts'

const FILTERS = ['all', ...WITHDRAWAL_OUTCOMES] as const

/** Withdrawals from contracts, as customers declared them, and what follows. */
export default function WithdrawalsScreen() {
  const { t } = useTranslation()
  const [address, change] = useAddress()
  const outcome = pickListed(WITHDRAWAL_OUTCOMES, address.get('outcome') ?? '', undefined)
  const search = address.get('search') ?? ''
  const chosen = /^\d{1,15}$/.test(address.get('withdrawal') ?? '') ? address.get('withdrawal') : null
  const choose = (withdrawal: string) => change({ withdrawal })
  return (
    <Page title={t('operator.screens.withdrawals')} lead={t('operator.withdrawals.lead')}>
      <Workbench
        details={
          chosen && (
            <Details label={`${t('operator.withdrawals.one')} ${chosen}`} onClose={() => choose('')}>
              <WithdrawalDetails id={Number(chosen)} />
            </Details>
          )
        }
      >
        <SearchForm label={t('operator.withdrawals.search')} value={search} onFind={(text) => change({ search: text })} />
        <Pills
          label={t('operator.withdrawals.outcome')}
          values={FILTERS}
          value={outcome ?? 'all'}
          wordOf={(each) => t(`operator.withdrawals.outcomes.${each}`)}
          onChange={(each) => change({ outcome: each === 'all' ? '' : each })}
        />
        <Part>
          <Withdrawals filter={{ ...(outcome && { outcome }), ...(search && { search }) }} chosen={chosen} />
        </Part>
      </Workbench>
    </Page>
  )
}

type ListProps = { filter: WithdrawalFilter; chosen: string | null }

function Withdrawals({ filter, chosen }: ListProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { shown, ...sorting } = useSorting(WITHDRAWAL_SORTS, '-received')
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(withdrawalsQuery({ ...filter, sort: shown }))
  const withdrawals = data.pages.flatMap((page) => page.withdrawals)
  if (withdrawals.length === 0) {
    return (
      <Empty icon={<IconReceiptOff size={30} />} title={t('operator.withdrawals.none')}>
        {t(filter.outcome || filter.search ? 'operator.withdrawals.noneLead' : 'operator.withdrawals.noneYet')}
      </Empty>
    )
  }
  return (
    <>
      <WorkTable<OperatorWithdrawal>
        name="withdrawals"
        label={t('operator.screens.withdrawals')}
        rows={withdrawals}
        keyOf={({ id }) => String(id)}
        {...(chosen && { chosen })}
        sorting={sorting}
        columns={[
          { head: t('operator.withdrawals.order'), cell: (withdrawal) => <WithdrawalLink withdrawal={withdrawal} /> },
          {
            id: 'customer',
            head: t('operator.withdrawals.customer'),
            cell: ({ contract, name, email }) => contract?.customer.name || name || email,
          },
          { id: 'contents', isExtra: true, head: t('operator.withdrawals.contents'), cell: ({ contract }) => contract?.contents },
          {
            id: 'received',
            sort: 'received',
            head: t('operator.withdrawals.received'),
            cell: ({ received_at }) => <time dateTime={received_at}>{formats.dateTime(received_at)}</time>,
          },
          { id: 'outcome', head: t('operator.withdrawals.outcome'), cell: (withdrawal) => <OutcomeBadge withdrawal={withdrawal} /> },
          {
            id: 'moneyHead',
            isExtra: true,
            head: t('operator.withdrawals.moneyHead'),
            cell: (withdrawal) => <MoneyBadge withdrawal={withdrawal} />,
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
function WithdrawalLink({ withdrawal: { id, reference } }: { withdrawal: OperatorWithdrawal }) {
  const [address] = useSearchParams()
  return <Link to={addressWith(address, { withdrawal: String(id) })}>{reference}</Link>
}
