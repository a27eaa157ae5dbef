import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Price } from '#contracts/billing/subscriptions.ts'
import { monthlyPrice, yearlyPrice } from '#contracts/rules/price.ts'
import { priceTerm } from '#web/billing/offer.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { durationWords, periodWords } from '#web/lib/i18n/words.ts'
import classes from './plan-cards.module.css'

type Props = { legend: string; plans: readonly Price[]; plan: Price | null; onPlan: (plan: Price) => void }

export function PlanCards({ legend, plans, plan, onPlan }: Props) {
  const { t } = useTranslation()
  const name = useId()
  return (
    <fieldset className={classes.plans} aria-labelledby={`${name}-legend`}>
      <legend id={`${name}-legend`}>{legend}</legend>
      {plans.map((each) => {
        const { months, extra } = priceTerm(each)
        return (
          <label key={each.id}>
            <input type="radio" name={name} checked={each.id === plan?.id} onChange={() => onPlan(each)} />
            <span className={classes.what}>
              <strong>{durationWords(t, months, extra)}</strong>
              <small>{periodWords(t, each.recurring)}</small>
            </span>
            <Amounts price={each} months={months} />
          </label>
        )
      })}
    </fieldset>
  )
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
