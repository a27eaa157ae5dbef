import { Button } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { HeldSubscription } from '#contracts/billing/subscriptions.ts'
import type { Device } from '#contracts/devices.ts'
import { computeEndDate, isUnlimited } from '#contracts/rules/subscription.ts'
import { type Cart, cartTotal, listLines, listPlans } from '#web/billing/cart.ts'
import { priceTerm } from '#web/billing/offer.ts'
import { TaxNote } from '#web/billing/subscription-notices.tsx'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { formatPlan } from './plan.format.ts'
import classes from './summary.module.css'
import { useCheckout } from './use-checkout.ts'

type Props = { cart: Cart; devices: readonly Device[]; held: readonly HeldSubscription[] }

export function Summary({ cart, devices, held }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const heading = useId()
  const { pay, isBusy, failure } = useCheckout(cart, held)
  const lines = listLines(cart)
  const findName = (device: number) => devices.find(({ id }) => id === device)?.name ?? ''
  const formatLabel = (price: (typeof lines)[number]['price']) => {
    if (price.type === 'plan') return formatPlan(t, price)
    return price.name === 'care' ? t('subscriptions.care') : price.name
  }
  return (
    <section className={classes.summary} aria-labelledby={heading}>
      <h2 id={heading}>{t('subscriptions.summary')}</h2>
      <ul>
        {lines.map(({ device, price }) => (
          <li key={`${device} ${price.id}`}>
            <span>
              {formatLabel(price)} – {findName(device)}
            </span>
            <strong>{formats.price(price.unit_amount, price.currency)}</strong>
          </li>
        ))}
      </ul>
      <p className={classes.total} aria-live="polite">
        <span>{t('subscriptions.total')}</span>
        <strong>{formats.price(cartTotal(cart), lines[0]?.price.currency ?? 'eur')}</strong>
      </p>
      <TaxNote prices={lines.map(({ price }) => price)} />
      <EndDates cart={cart} devices={devices} />
      <FormAlert>{failure}</FormAlert>
      <Button size="md" h={48} fullWidth loading={isBusy} onClick={pay}>
        {t('subscriptions.payByCard')}
      </Button>
      <small className={classes.where}>
        <IconShieldLock size={16} aria-hidden="true" />
        {t('subscriptions.paidThere')}
      </small>
    </section>
  )
}

/** The end date of each tracker after the purchase; a subscription without an end stays without one. */
function EndDates({ cart, devices }: Pick<Props, 'cart' | 'devices'>) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  return listPlans(cart).map(({ device: id, price }) => {
    const device = devices.find((each) => each.id === id)
    if (!device) return null
    const { sub_state, sub_end_date: end } = device.tracker_status
    const { months, extra } = priceTerm(price)
    const date = formats.date(computeEndDate(now, end, months, extra).toISOString())
    return (
      <p key={id} className={classes.end}>
        {devices.length > 1 && <strong>{device.name}: </strong>}
        {isUnlimited(sub_state, end) ? t('tracker.noEnd') : t('subscriptions.activeUntil', { date })}
        <br />
        {price.recurring ? t('subscriptions.renewsThen') : t('subscriptions.endsThen')}
      </p>
    )
  })
}
