import { IconReceiptOff } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { WITHDRAWAL_OUTCOMES } from '#contracts/billing/withdrawal.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import type { OperatorWithdrawalDetails } from '#contracts/operator/withdrawals.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { CreditNotes } from '#web/operator/invoices/invoice-details.tsx'
import { VisiblePaths } from '#web/operator/session/visible-paths.ts'
import { Badges, Facts, Note } from '#web/operator/workbench/workbench.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { MoneyBadge, OutcomeBadge } from './withdrawal-state.tsx'
import { withdrawalQuery } from './withdrawals.queries.ts'

/** One withdrawal: what the customer declared, the contract that was found, and what was paid back. */
export function WithdrawalDetails({ id }: { id: number }) {
  const { t } = useTranslation()
  const withdrawal = useSuspenseQuery(withdrawalQuery(id)).data
  if (!withdrawal) return <Empty icon={<IconReceiptOff size={30} />} title={t('operator.withdrawals.none')} />
  const outcome = pickListed(WITHDRAWAL_OUTCOMES, withdrawal.outcome, null)
  return (
    <>
      <h2>{withdrawal.reference}</h2>
      <Badges>
        <OutcomeBadge withdrawal={withdrawal} />
        <MoneyBadge withdrawal={withdrawal} />
      </Badges>
      {outcome && withdrawal.money !== 'back' && <Note>{t(`operator.withdrawals.next.${outcome}`)}</Note>}
      <Declared withdrawal={withdrawal} />
      <Contract withdrawal={withdrawal} />
      {withdrawal.invoice && <CreditNotes invoice={withdrawal.invoice} />}
    </>
  )
}

type Props = { withdrawal: OperatorWithdrawalDetails }

function Declared({ withdrawal: { received_at, email, name } }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <Facts
      facts={[
        [t('operator.withdrawals.received'), formats.dateTime(received_at)],
        [t('operator.withdrawals.givenEmail'), email],
        [t('operator.withdrawals.givenName'), name],
      ]}
    />
  )
}

function Contract({ withdrawal: { contract, invoice, ...at } }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const paths = useContext(VisiblePaths)
  const link = (path: string, rest: string, text: string) => (paths.includes(path) ? <Link to={path + rest}>{text}</Link> : text)
  if (!contract) return null
  const { customer, order, contents } = contract
  return (
    <Facts
      facts={[
        [t('operator.withdrawals.customer'), link('/operator/customers', `/${customer.account}`, customer.name || customer.email)],
        [t('operator.withdrawals.order'), link('/operator/orders', `?order=${encodeURIComponent(order)}`, order)],
        [t('operator.withdrawals.contents'), contents],
        [t('operator.withdrawals.ordered'), at.ordered_at && formats.dateTime(at.ordered_at)],
        [t('operator.orders.at.delivered'), at.delivered_at && formats.dateTime(at.delivered_at)],
        [t('operator.orders.at.returned'), at.returned_at && formats.dateTime(at.returned_at)],
        [t('operator.withdrawals.invoice'), invoice && link('/operator/invoices', `?invoice=${invoice.id}`, invoice.number)],
        [t('operator.withdrawals.amount'), invoice && formats.price(invoice.amount, invoice.currency)],
        [t('operator.withdrawals.refunded'), invoice && invoice.refunded > 0 && formats.price(invoice.refunded, invoice.currency)],
      ]}
    />
  )
}
