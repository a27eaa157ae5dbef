import { useTranslation } from 'react-i18next'
import { ORDER_STATUSES } from '#contracts/billing/orders.ts'
import { Badge } from '#web/ui/badge.tsx'

const TONES = { in_progress: 'warn', shipping: 'warn', delivered: 'good' } as const

/** An unknown status is shown as is. */
export function OrderBadge({ status }: { status: string }) {
  const { t } = useTranslation()
  const known = ORDER_STATUSES.find((each) => each === status)
  return known ? <Badge tone={TONES[known]}>{t(`purchases.orderStatus.${known}`)}</Badge> : <Badge>{status}</Badge>
}
