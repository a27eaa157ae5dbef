import type { TFunction } from 'i18next'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Price } from '#contracts/billing/subscriptions.ts'
import { isRenewing, monthlyPrice, savedShare, yearlyPrice } from '#contracts/rules/price.ts'
import { computeEndDate, isUnlimited } from '#contracts/rules/subscription.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { priceTerm } from '#web/billing/offer.ts'
import { formatPlan } from '#web/billing/subscription.format.ts'
import { useNow } from '#web/lib/clock.ts'
import type { Formats } from '#web/lib/i18n/format.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { periodWords } from '#web/lib/i18n/words.ts'
import { Badge } from '#web/ui/badge.tsx'
import classes from './plan-cards.module.css'

/** A smaller share would be shown as 0 %. */
const SMALLEST_SAVING = 0.005

/** `device` is the tracker that the plan is for, once it is known; it determines when the plan ends. */
type Props = { legend: string; plans: readonly Price[]; plan: Price | null; device?: Device; onPlan: (plan: Price) => void }

export function PlanCards({ legend, plans, plan, device, onPlan }: Props) {
  const { t } = useTranslation()
  const name = useId()
  const monthly = plans.flatMap((each) => monthlyPrice(each.unit_amount, priceTerm(each).months) ?? [])
  const now = useNow()
  const formats = useFormats()
  const [cheapest, dearest] = [Math.min(...monthly), Math.max(...monthly)]
  return (
    <fieldset className={classes.plans} aria-labelledby={`${name}-legend`}>
      <legend id={`${name}-legend`}>{legend}</legend>
      {plans.map((each) => {
        const { months } = priceTerm(each)
        const price = monthlyPrice(each.unit_amount, months)
        return (
          <label key={each.id}>
            <input type="radio" name={name} checked={each.id === plan?.id} onChange={() => onPlan(each)} />
            <span className={classes.what}>
              <strong>{formatPlan(t, each)}</strong>
              <small>
                {[periodWords(t, each.recurring), device && formatPlanEnd(t, formats, each, device, now)].filter(Boolean).join(' · ')}
              </small>
              {price !== null && <Saving monthly={price} cheapest={cheapest} dearest={dearest} />}
            </span>
            <Amounts price={each} months={months} />
          </label>
        )
      })}
    </fieldset>
  )
}

function Saving({ monthly, cheapest, dearest }: { monthly: number; cheapest: number; dearest: number }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const share = savedShare(monthly, dearest)
  if (share < SMALLEST_SAVING) return null
  const isCheapest = monthly === cheapest
  return (
    <span className={classes.saving}>
      <Badge tone={isCheapest ? 'good' : 'plain'}>{t('subscriptions.save', { percent: formats.percent(share) })}</Badge>
      {isCheapest && <small>{t('subscriptions.cheapest')}</small>}
    </span>
  )
}

/** When the plan renews or ends if it is bought now; nothing for a subscription without an end, or a plan without months. */
function formatPlanEnd(t: TFunction, formats: Formats, price: Price, device: Device, now: Date): string {
  const { sub_state, sub_end_date: end } = device.tracker_status
  const { months, extra } = priceTerm(price)
  if (months === 0 || isUnlimited(sub_state, end)) return ''
  const date = formats.date(computeEndDate(now, end, months, extra).toISOString())
  const renews = isRenewing(price.recurring)
  if (renews === null) return t('subscriptions.activeUntil', { date })
  return t(renews ? 'subscriptions.renewsOn' : 'subscriptions.endsOn', { date })
}

/** A one-month plan shows no monthly price and a one-year plan no yearly price, since they equal the total. */
function Amounts({ price: { unit_amount, currency }, months }: { price: Price; months: number }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const [monthly, yearly] = [monthlyPrice(unit_amount, months), yearlyPrice(unit_amount, months)]
  return (
    <span className={classes.price}>
      <strong>{formats.price(unit_amount, currency)}</strong>
      {monthly !== null && months !== 1 && <small>{t('subscriptions.perMonth', { price: formats.price(monthly, currency) })}</small>}
      {yearly !== null && months !== 12 && <small>{t('subscriptions.perYear', { price: formats.price(yearly, currency) })}</small>}
    </span>
  )
}
