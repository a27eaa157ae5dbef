import { useTranslation } from 'react-i18next'
import { WITHDRAWAL_OUTCOMES } from '#contracts/billing/withdrawal.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { type OperatorWithdrawal, WITHDRAWN_MONEY } from '#contracts/operator/withdrawals.ts'
import { Badge } from '#web/ui/badge.tsx'

const OUTCOME_TONES = { refund: 'good', return: 'good', again: 'plain', closed: 'warn', unknown: 'warn' } as const
const MONEY_TONES = { waits: 'warn', under_way: 'warn', back: 'good' } as const

/** What follows from a withdrawal; an unknown value is shown as is. */
export function OutcomeBadge({ withdrawal: { outcome } }: { withdrawal: OperatorWithdrawal }) {
  const { t } = useTranslation()
  const known = pickListed(WITHDRAWAL_OUTCOMES, outcome, null)
  return known ? <Badge tone={OUTCOME_TONES[known]}>{t(`operator.withdrawals.outcomes.${known}`)}</Badge> : <Badge>{outcome}</Badge>
}

/** Where the money of a withdrawal is; nothing where none goes back. */
export function MoneyBadge({ withdrawal: { money } }: { withdrawal: OperatorWithdrawal }) {
  const { t } = useTranslation()
  const known = money && pickListed(WITHDRAWN_MONEY, money, null)
  return known ? <Badge tone={MONEY_TONES[known]}>{t(`operator.withdrawals.money.${known}`)}</Badge> : money && <Badge>{money}</Badge>
}
