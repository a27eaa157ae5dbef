import type Stripe from 'stripe'
import type { Interval } from '#contracts/lib/constants.ts'

type PriceFacts = {
  id: string
  created: number
  currency: string
  amount: number
  taxBehavior: Stripe.Price.TaxBehavior | null
  product: string
  isActive?: boolean
  lookupKey?: string | null
  metadata?: Record<string, string>
  recurring: { interval: Interval; count: number } | null
}

export const buildPrice = ({ id, created, currency, amount, taxBehavior, product, recurring, ...facts }: PriceFacts): Stripe.Price => ({
  id,
  object: 'price',
  active: facts.isActive ?? false,
  billing_scheme: 'per_unit',
  created,
  currency,
  custom_unit_amount: null,
  livemode: false,
  lookup_key: facts.lookupKey ?? null,
  metadata: facts.metadata ?? {},
  nickname: null,
  product,
  recurring: recurring && {
    interval: recurring.interval,
    interval_count: recurring.count,
    meter: null,
    trial_period_days: null,
    usage_type: 'licensed',
  },
  tax_behavior: taxBehavior,
  tiers_mode: null,
  transform_quantity: null,
  type: recurring ? 'recurring' : 'one_time',
  unit_amount: amount,
  unit_amount_decimal: null,
})

/** The legacy `plan` object, which Stripe still sends beside a recurring price. */
export const buildPlan = (
  { id, created, currency, unit_amount, product }: Stripe.Price,
  { interval, interval_count }: Stripe.Price.Recurring,
): Stripe.Plan => ({
  id,
  object: 'plan',
  active: false,
  amount: unit_amount,
  amount_decimal: null,
  billing_scheme: 'per_unit',
  created,
  currency,
  interval,
  interval_count,
  livemode: false,
  metadata: {},
  meter: null,
  nickname: null,
  product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed',
})
