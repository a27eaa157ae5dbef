import { useTranslation } from 'react-i18next'
import { hasTaxNote } from '#contracts/rules/price.ts'
import type { Price } from '#contracts/subscriptions.ts'

export function TaxNote({ prices }: { prices: readonly Price[] }) {
  const { t } = useTranslation()
  return prices.some(({ tax_behavior }) => hasTaxNote(tax_behavior)) ? <small>{t('subscriptions.taxNote')}</small> : null
}
