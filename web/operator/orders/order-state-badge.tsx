import { useTranslation } from 'react-i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { ORDER_STATES } from '#contracts/operator/orders.ts'
import { Badge } from '#web/ui/badge.tsx'

const TONES = { to_pick: 'warn', picked: 'warn', shipping: 'warn', delivered: 'good', returned: 'plain' } as const

/** An unknown state is shown as is. */
export function OrderStateBadge({ state }: { state: string }) {
  const { t } = useTranslation()
  const known = pickListed(ORDER_STATES, state, null)
  return known ? <Badge tone={TONES[known]}>{t(`operator.orders.states.${known}`)}</Badge> : <Badge>{state}</Badge>
}
