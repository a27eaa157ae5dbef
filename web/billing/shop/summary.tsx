import { Button } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { HeldSubscription, Price } from '#contracts/billing/subscriptions.ts'
import { isRenewing } from '#contracts/rules/price.ts'
import { computeEndDate, isUnlimited } from '#contracts/rules/subscription.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { subscriptionsApi } from '#web/billing/billing.queries.ts'
import { type Cart, cartPath, FEW, listLines, listPlans, returnPath, sumByPeriod } from '#web/billing/cart.ts'
import { isPlan, priceTerm } from '#web/billing/offer.ts'
import { useLeaving } from '#web/billing/provider-page.ts'
import { formatPlan } from '#web/billing/subscription.format.ts'
import { TaxNote } from '#web/billing/subscription-notices.tsx'
import { ApiError, wordsOf } from '#web/lib/api/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { periodWords } from '#web/lib/i18n/words.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { goToCheckout } from './go-to-checkout.ts'
import classes from './summary.module.css'

const countByPrice = (lines: readonly { price: Price }[]) =>
  [...new Set(lines.map(({ price }) => price))].map((price) => ({ price, count: lines.filter((line) => line.price === price).length }))

type Props = { cart: Cart; devices: readonly Device[]; held: readonly HeldSubscription[] }

export function Summary({ cart, devices, held }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const heading = useId()
  const { pay, isBusy, failure } = useCheckout(cart, held)
  const lines = listLines(cart)
  const isFleet = devices.length > FEW
  const findName = (device: number) => devices.find(({ id }) => id === device)?.name ?? ''
  const formatLabel = (price: (typeof lines)[number]['price']) => {
    if (isPlan(price)) return formatPlan(t, price)
    return price.name === 'care' ? t('subscriptions.care') : price.name
  }
  return (
    <section className={classes.summary} aria-labelledby={heading}>
      <div className={classes.lines}>
        <h2 id={heading}>{t('subscriptions.summary')}</h2>
        <ul>
          {isFleet
            ? countByPrice(lines).map(({ price, count }) => (
                <li key={price.id}>
                  <span>
                    {formats.number(count)} × {[formatLabel(price), periodWords(t, price.recurring)].filter(Boolean).join(', ')}
                  </span>
                  <strong>{formats.price(price.unit_amount * count, price.currency)}</strong>
                </li>
              ))
            : lines.map(({ device, price }) => (
                <li key={`${device} ${price.id}`}>
                  <span>
                    {formatLabel(price)} – {findName(device)}
                  </span>
                  <strong>{formats.price(price.unit_amount, price.currency)}</strong>
                </li>
              ))}
        </ul>
        <TaxNote prices={lines.map(({ price }) => price)} />
        {!isFleet && <EndDates cart={cart} devices={devices} />}
      </div>
      <div className={classes.pay}>
        <FormAlert>{failure}</FormAlert>
        <Total lines={lines.map(({ price }) => price)} />
        <Button size="md" h={48} fullWidth loading={isBusy} onClick={pay}>
          {t('subscriptions.payByCard')}
        </Button>
        <small className={classes.where}>
          <IconShieldLock size={16} aria-hidden="true" />
          {t('subscriptions.paidThere')}
        </small>
      </div>
    </section>
  )
}

/** The amount charged now; plans with different periods renew at different times, so their sum is only today's. */
function Total({ lines }: { lines: readonly Price[] }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const sum = lines.reduce((all, { unit_amount }) => all + unit_amount, 0)
  return (
    <p className={classes.total} aria-live="polite">
      <span>{t(sumByPeriod(lines).length > 1 ? 'subscriptions.dueToday' : 'subscriptions.total')}</span>
      <strong>{formats.price(sum, lines[0]?.currency ?? 'eur')}</strong>
    </p>
  )
}

/** The summary of a plan whose tracker is still to be chosen. */
export function PendingSummary({ plan }: { plan: Price }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const heading = useId()
  return (
    <section className={classes.summary} aria-labelledby={heading}>
      <div className={classes.lines}>
        <h2 id={heading}>{t('subscriptions.summary')}</h2>
        <ul>
          <li>
            <span>{formatPlan(t, plan)}</span>
            <strong>{formats.price(plan.unit_amount, plan.currency)}</strong>
          </li>
        </ul>
        <TaxNote prices={[plan]} />
      </div>
      <div className={classes.pay}>
        <p className={classes.end} id={`${heading}-why`}>
          {t('subscriptions.trackerNeeded')}
        </p>
        <Total lines={[plan]} />
        <Button size="md" h={48} fullWidth disabled aria-describedby={`${heading}-why`}>
          {t('subscriptions.payByCard')}
        </Button>
      </div>
    </section>
  )
}

/** The end date of each tracker after the purchase; a subscription without an end remains unlimited. */
function EndDates({ cart, devices }: Pick<Props, 'cart' | 'devices'>) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  return listPlans(cart).map(({ device: id, price }) => {
    const device = devices.find((each) => each.id === id)
    if (!device) return null
    const { sub_state, sub_end_date: end } = device.tracker_status
    const { months, extra } = priceTerm(price)
    const renews = isRenewing(price.recurring)
    const date = formats.date(computeEndDate(now, end, months, extra).toISOString())
    return (
      <p key={id} className={classes.end}>
        {devices.length > 1 && <strong>{device.name}: </strong>}
        {isUnlimited(sub_state, end) ? t('tracker.noEnd') : months > 0 && t('subscriptions.activeUntil', { date })}
        {renews !== null && (
          <>
            {' '}
            <br />
            {t(renews ? 'subscriptions.renewsThen' : 'subscriptions.endsThen')}
          </>
        )}
      </p>
    )
  })
}

/** Creates a checkout session and opens it. On failure the user stays on the page. */
function useCheckout(cart: Cart, held: readonly HeldSubscription[]) {
  const { t } = useTranslation()
  const { start, reset, isPending, isSuccess, error } = useLeaving(async () =>
    goToCheckout(await subscriptionsApi.pay({ body: buildCheckoutRequest(cart, held) })),
  )
  // A page restored from the back/forward cache would still show the button as loading.
  useEffect(() => {
    const wake = ({ persisted }: PageTransitionEvent) => persisted && reset()
    window.addEventListener('pageshow', wake)
    return () => window.removeEventListener('pageshow', wake)
  }, [reset])
  const sentence = () => {
    if (!error || (error instanceof ApiError && error.isLeaving)) return null
    const code = error instanceof ApiError ? error.code : null
    if (code === 'device_linked_to_pro') return t('subscriptions.pro')
    const running = error instanceof ApiError && code === 'mixed_currency' ? error.extras.currency : undefined
    if (typeof running === 'string') return t('subscriptions.otherCurrency', { currency: running.toUpperCase() })
    if (wordsOf(error) === 'error.payments') return t('error.payments')
    return code === 'recurring_active' ? t('subscriptions.recurring') : t('subscriptions.payFailed')
  }
  return { pay: start, isBusy: isPending || isSuccess, failure: sentence() }
}

/** The success path contains the current subscriptions, so that the page can wait for new ones; the cancel path restores the cart. */
function buildCheckoutRequest(cart: Cart, held: readonly HeldSubscription[]) {
  const items = listPlans(cart)
  const line = ({ device, price }: (typeof items)[number]) => ({ device, price: price.id })
  const before = held.filter((each) => items.some(({ device }) => device === each.device)).map(({ id }) => id)
  const devices = items.map(({ device }) => device).join(',')
  return {
    items: items.map(line),
    options: cart.options.map(line),
    success_path: returnPath(`/subscription?${new URLSearchParams({ checkout: 'success', before: before.join(','), devices })}`, 'success'),
    cancel_path: returnPath(cartPath(cart, { checkout: 'cancel' }), 'cancel'),
  }
}
