import type { TFunction } from 'i18next'
import type { Price } from '#contracts/billing/subscriptions.ts'
import { priceTerm } from '#web/billing/offer.ts'
import type { Formats } from '#web/lib/i18n/format.ts'
import { durationWords, periodWords } from '#web/lib/i18n/words.ts'

export const formatPlan = (t: TFunction, price: Price) => {
  const { months, extra } = priceTerm(price)
  return durationWords(t, months, extra)
}

export const buildPlanOptions = (t: TFunction, formats: Formats, plans: readonly Price[]) =>
  plans.map((price) => ({
    value: price.id,
    label: [formatPlan(t, price), periodWords(t, price.recurring), formats.price(price.unit_amount, price.currency)].join(' · '),
  }))
