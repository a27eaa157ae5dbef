import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { cartOf } from '#web/billing/cart.ts'
import { FailedInvoice } from '#web/billing/failed-invoice.tsx'
import { NoTracker } from '#web/billing/no-tracker.tsx'
import { actionFor, buyingOf, type Offer } from '#web/billing/offer.ts'
import { useShop } from '#web/billing/subscriptions.queries.ts'
import { readWishes } from '#web/billing/wish.ts'
import { useNow } from '#web/lib/clock.ts'
import { Page } from '#web/ui/page.tsx'
import { Checkout } from './checkout.tsx'
import { NotForSale } from './not-for-sale.tsx'
import { NothingSold } from './nothing-sold.tsx'
import classes from './shop.module.css'
import { WhichTracker } from './which-tracker.tsx'

/** Reads trackers and plans from the URL, e.g. `?devices=2` or `?devices=2.eur-12m,9`. */
export function Shop() {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const { offer, devices, held } = useShop()
  const now = useNow()
  const wishes = readWishes(params.get('devices')).filter(({ device }) => devices.some(({ id }) => id === device))
  const wished = devices.filter(({ id }) => wishes.some(({ device }) => device === id))
  const sold = wished.filter((device) => buyingOf(actionFor(device, now)))
  const action = sold.length === 1 && sold[0] ? buyingOf(actionFor(sold[0], now)) : null
  return (
    <Page
      title={action && sold[0] ? t(`subscriptions.${action}For`, { name: sold[0].name }) : t('title.subscription')}
      back={{ to: '/subscriptionSelector', label: t('nav.subscriptions') }}
    >
      <FailedInvoice />
      {params.get('checkout') === 'cancel' && (
        <p role="status" className={classes.note}>
          {t('subscriptions.cancelled')}
        </p>
      )}
      {offer.plans.length === 0 ? (
        <NothingSold />
      ) : (
        <>
          {devices.length === 0 && <NoTracker />}
          {wished.length === 0 && devices.length > 0 && <WhichTracker devices={devices} offer={offer} />}
          {wished.map((device) => (
            <NotForSale key={device.id} device={device} held={held.find((each) => each.device === device.id)} />
          ))}
          {sold.length > 0 && <Checkout devices={sold} offer={offer} held={held} initial={initialCart(params, sold, offer)} />}
          <Link to={{ search: `?${more(params)}` }} className={classes.why}>
            {t('subscriptions.increaseLink')}
          </Link>
        </>
      )}
    </Page>
  )
}

const initialCart = (params: URLSearchParams, sold: readonly { id: number }[], offer: Offer) => {
  const wishes = readWishes(params.get('devices')).filter(({ device }) => sold.some(({ id }) => id === device))
  const options = (params.get('options') ?? '').split(',').flatMap((each) => readWishes(each))
  return cartOf(wishes, options, offer)
}

const more = (params: URLSearchParams) => {
  const next = new URLSearchParams(params)
  next.set('message', 'price_increase')
  return next
}
