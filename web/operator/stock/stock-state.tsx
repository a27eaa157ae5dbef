import { useTranslation } from 'react-i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { STOCK_STATES, type StockItem } from '#contracts/operator/stock.ts'
import { Badge } from '#web/ui/badge.tsx'

const TONES = { in_stock: 'good', claimed: 'plain', blocked: 'bad' } as const

export function StockStateBadge({ state }: { state: StockItem['state'] }) {
  const { t } = useTranslation()
  const known = pickListed(STOCK_STATES, state, null)
  return known ? <Badge tone={TONES[known]}>{t(`operator.stock.states.${known}`)}</Badge> : state
}
