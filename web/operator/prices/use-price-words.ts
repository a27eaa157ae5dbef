import { useTranslation } from 'react-i18next'
import type { PriceChange } from '#contracts/operator/prices.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'

/** Amounts and days of prices as text. Amounts hold from a day in UTC on, whatever the time zone of whoever reads it. */
export function usePriceWords() {
  const { t } = useTranslation()
  const formats = useFormats()
  const day = (instant: string) => formats.date(new Date(`${instant.slice(0, 10)}T12:00`))
  return {
    day,
    amountFrom: ({ amount, currency, from }: Pick<PriceChange, 'amount' | 'currency' | 'from'>) =>
      t('operator.prices.amountFrom', { amount: formats.price(amount, currency), date: day(from) }),
  }
}
