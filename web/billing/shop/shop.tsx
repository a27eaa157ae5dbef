import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import type { HeldSubscription } from '#contracts/billing/subscriptions.ts'
import { parseId } from '#contracts/lib/common.ts'
import { compareDevices } from '#contracts/rules/tracking/sorting.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { useShopData } from '#web/billing/billing.queries.ts'
import { buildCart, cartPath, choosePlan, EMPTY_CART, parseRequestedItems, readReturn } from '#web/billing/cart.ts'
import { FailedInvoice } from '#web/billing/failed-invoice.tsx'
import { availableAction, type Offer, toPurchaseAction } from '#web/billing/offer.ts'
import { ManageButton, RenewalButton } from '#web/billing/renewal-button.tsx'
import { CurrencyNote, NoPlansNotice, NoTrackerNotice, ProNote } from '#web/billing/subscription-notices.tsx'
import { useNow } from '#web/lib/clock.ts'
import { ActivateButton } from '#web/trackers/parts/activate-button.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { Page } from '#web/ui/page.tsx'
import { Checkout } from './checkout.tsx'
import { MovePlan } from './move-plan.tsx'
import { PausePlan } from './pause-plan.tsx'
import { PlanCards } from './plan-cards.tsx'
import classes from './shop.module.css'
import { PendingSummary } from './summary.tsx'
import { TrackerHeading } from './tracker-heading.tsx'

/** Reads trackers and plans from the URL, e.g. `?devices=2` or `?devices=2.eur-12m,9`. */
export function Shop() {
  const { t } = useTranslation()
  const [address] = useSearchParams()
  const params = readReturn(address)
  const { offer, devices, held, hasCurrency, otherCurrency } = useShopData()
  const now = useNow()
  const wishes = parseRequestedItems(params.get('devices')).filter(({ device }) => devices.some(({ id }) => id === device))
  const wished = devices.filter(({ id }) => wishes.some(({ device }) => device === id))
  const sold = wished.filter((device) => toPurchaseAction(availableAction(device, now)))
  const action = sold.length === 1 && sold[0] ? toPurchaseAction(availableAction(sold[0], now)) : null
  return (
    <Page
      title={action && sold[0] ? t(`subscriptions.${action}For`, { name: sold[0].name }) : t('title.subscription')}
      back={{ to: '/subscriptionSelector', label: t('nav.plans') }}
    >
      <FailedInvoice />
      {params.get('checkout') === 'cancel' && (
        <p role="status" className={classes.note}>
          {t('subscriptions.cancelled')}
        </p>
      )}
      {offer.plans.length === 0 ? (
        <NoPlansNotice hasCurrency={hasCurrency} />
      ) : (
        <>
          {devices.length === 0 && <NoTrackerNotice />}
          <CurrencyNote currency={otherCurrency} />
          {wished.length === 0 && devices.length > 0 && <TrackerChoice devices={devices} offer={offer} />}
          {wished.map((device) => (
            <NotForSale key={device.id} device={device} held={held.find((each) => each.device === device.id)} />
          ))}
          {sold.length > 0 && <Checkout devices={sold} offer={offer} held={held} initial={buildInitialCart(params, sold, offer)} />}
          {wished.length === 1 && wished[0] && <PausePlan device={wished[0]} devices={devices} />}
          {wished.length === 1 && wished[0] && <MovePlan device={wished[0]} devices={devices} />}
          <Link to={{ search: `?${priceIncreaseSearch(params)}` }} className={classes.why}>
            {t('subscriptions.increaseLink')}
          </Link>
        </>
      )}
    </Page>
  )
}

const buildInitialCart = (params: URLSearchParams, sold: readonly { id: number }[], offer: Offer) => {
  const wishes = parseRequestedItems(params.get('devices')).filter(({ device }) => sold.some(({ id }) => id === device))
  const options = (params.get('options') ?? '').split(',').flatMap((each) => parseRequestedItems(each))
  return buildCart(wishes, options, offer)
}

const priceIncreaseSearch = (params: URLSearchParams) => {
  const next = new URLSearchParams(params)
  next.set('message', 'price_increase')
  return next
}

/** Explains why nothing can be bought for a tracker and offers the alternative; null for trackers that can be paid for. */
function NotForSale({ device, held }: { device: Device; held: HeldSubscription | undefined }) {
  const { t } = useTranslation()
  const action = availableAction(device, useNow())
  if (action !== 'support' && action !== 'manage' && action !== 'activate') return null
  return (
    <section className={classes.card} aria-label={device.name}>
      <TrackerHeading device={device} isNamed />
      {action === 'support' && <ProNote />}
      {action === 'manage' && (
        <>
          <p>{t('subscriptions.recurring')}</p>
          <div className={classes.buttons}>
            {held && <RenewalButton held={held} name={device.name} />}
            <ManageButton name={device.name} />
          </div>
        </>
      )}
      {action === 'activate' && (
        <>
          <p>{t('subscriptions.activateFirst')}</p>
          <ActivateButton device={device} />
        </>
      )}
    </section>
  )
}

/** Shown when the URL names no tracker: the user picks a plan and a tracker first. */
function TrackerChoice({ devices, offer }: { devices: readonly Device[]; offer: Offer }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const now = useNow()
  const [plan, setPlan] = useState(offer.plans[0] ?? null)
  const sold = devices.filter((device) => toPurchaseAction(availableAction(device, now))).toSorted(compareDevices)
  return (
    <div className={classes.shop}>
      <div className={classes.parts}>
        <SelectField
          label={t('title.tracker')}
          value=""
          onChange={({ currentTarget }) =>
            plan && void navigate(cartPath(choosePlan(EMPTY_CART, parseId(currentTarget.value), plan)), { replace: true })
          }
          data={[
            { value: '', label: t('subscriptions.chooseTracker'), disabled: true },
            ...sold.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
        <PlanCards legend={t('subscriptions.plan')} plans={offer.plans} plan={plan} onPlan={setPlan} />
      </div>
      {plan && <PendingSummary plan={plan} />}
    </div>
  )
}
