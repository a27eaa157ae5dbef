import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { HeldSubscription, Price } from '#contracts/billing/subscriptions.ts'
import type { SubscriptionAction } from '#contracts/rules/subscription.ts'
import { compareDevices } from '#contracts/rules/tracking/sorting.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { useShopData } from '#web/billing/billing.queries.ts'
import { cartPath, choosePlan, EMPTY_CART, listPlans, selectTracker, sumByPeriod } from '#web/billing/cart.ts'
import { availableAction, CARE_HASH, hasCarePlan, toPurchaseAction } from '#web/billing/offer.ts'
import { ManageButton, RenewalButton } from '#web/billing/renewal-button.tsx'
import classes from '#web/billing/selector.module.css'
import { buildPlanOptions, formatSubscription } from '#web/billing/subscription.format.ts'
import { NoPlansNotice, NoTrackerNotice, ProNote, TaxNote } from '#web/billing/subscription-notices.tsx'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { periodWords } from '#web/lib/i18n/words.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { ActivateButton } from '#web/trackers/parts/activate-button.tsx'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { Page } from '#web/ui/page.tsx'

export default function SelectorScreen() {
  const { t } = useTranslation()
  const formats = useFormats()
  const { offer, devices, held, hasCurrency } = useShopData()
  const [cart, setCart] = useState(EMPTY_CART)
  const [isSeveral, setSeveral] = useState(false)
  const now = useNow()
  const hasClaims = useFeature('careClaims')
  const chosen = listPlans(cart)
  const isSold = devices.length > 0 && offer.plans.length > 0
  const findPlan = (id: string) => offer.plans.find((price) => price.id === id)
  const choose = (device: number, id: string) => {
    const price = findPlan(id)
    setCart((before) => (price ? choosePlan(before, device, price) : selectTracker(before, device)))
  }
  const canBuySeveral = isSold && devices.filter((device) => toPurchaseAction(availableAction(device, now))).length > 1
  const toggleSeveral = () => {
    setSeveral(!isSeveral)
    setCart(EMPTY_CART)
  }
  return (
    <Page
      isInAccount
      title={t('nav.subscriptions')}
      lead={isSold && isSeveral && t('subscriptions.lead')}
      actions={
        devices.length > 0 && (
          <>
            {canBuySeveral && (
              <Button variant={isSeveral ? 'filled' : 'default'} h={44} aria-pressed={isSeveral} onClick={toggleSeveral}>
                {t('subscriptions.chooseSeveral')}
              </Button>
            )}
            <Button component={Link} to="/link_subscription" variant="default" h={44}>
              {t('title.linkSubscription')}
            </Button>
          </>
        )
      }
    >
      {devices.length === 0 && <NoTrackerNotice />}
      {devices.length > 0 && !isSold && <NoPlansNotice hasCurrency={hasCurrency} />}
      <ul className={classes.rows} aria-label={t('trackers.list')}>
        {devices.toSorted(compareDevices).map((device) => (
          <SelectorRow
            key={device.id}
            device={device}
            held={held.find((each) => each.device === device.id)}
            plans={offer.plans}
            hasCare={
              hasClaims &&
              hasCarePlan(
                offer,
                held.find((each) => each.device === device.id),
              )
            }
            isSeveral={isSeveral}
            plan={cart.plans[device.id] ?? null}
            onPlan={(id) => choose(device.id, id)}
          />
        ))}
      </ul>
      {chosen[0] && (
        <section className={classes.bar} aria-label={t('subscriptions.summary')}>
          <p aria-live="polite">
            {t('subscriptions.total')}
            {sumByPeriod(chosen.map(({ price }) => price)).map(({ recurring, amount, currency }) => (
              <span key={`${recurring?.interval_count} ${recurring?.interval}`}>
                <strong>{formats.price(amount, currency)}</strong> <small>{periodWords(t, recurring)}</small>
              </span>
            ))}
            <TaxNote prices={chosen.map(({ price }) => price)} />
          </p>
          <Button component={Link} to={cartPath(cart)} h={44}>
            {t('subscriptions.continue')}
          </Button>
        </section>
      )}
    </Page>
  )
}

type Props = {
  device: Device
  held: HeldSubscription | undefined
  plans: readonly Price[]
  hasCare: boolean
  /** Whether plans are selected in the rows, for several trackers at once. */
  isSeveral: boolean
  plan: Price | null
  onPlan: (id: string) => void
}

function SelectorRow({ device, held, plans, hasCare, isSeveral, plan, onPlan }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const action = availableAction(device, now)
  const canBuy = toPurchaseAction(action) !== null && plans.length > 0
  return (
    <li className={classes.row} data-off={action === 'support' || undefined}>
      <KindDisc of={device} />
      <div className={classes.text}>
        <strong>{device.name}</strong>
        <small>{formatSubscription(t, formats, device, now)}</small>
        {hasCare && (
          <Link
            to={`/trackers/${encodeURIComponent(device.id)}/settings${CARE_HASH}`}
            aria-label={`${t('subscriptions.carePlan')}: ${device.name}`}
          >
            {t('subscriptions.carePlan')}
          </Link>
        )}
      </div>
      <div className={classes.actions}>
        {isSeveral && canBuy ? (
          <SelectField
            className={classes.select ?? ''}
            aria-label={t('subscriptions.planOf', { name: device.name })}
            value={plan?.id ?? ''}
            onChange={({ currentTarget }) => onPlan(currentTarget.value)}
            data={[{ value: '', label: t('duration.noChange') }, ...buildPlanOptions(t, formats, plans)]}
          />
        ) : (
          <RowAction device={device} action={action} held={held} canBuy={canBuy} />
        )}
      </div>
    </li>
  )
}

type RowActionProps = {
  device: Device
  action: SubscriptionAction
  held: HeldSubscription | undefined
  canBuy: boolean
}

function RowAction({ device, action, held, canBuy }: RowActionProps) {
  const { t } = useTranslation()
  const buying = toPurchaseAction(action)
  const renewal = held && <RenewalButton held={held} name={device.name} />
  if (action === 'support') return <ProNote />
  if (action === 'manage')
    return (
      <>
        {renewal}
        <ManageButton name={device.name} />
      </>
    )
  if (!buying) return <ActivateButton device={device} />
  if (!canBuy) return renewal
  const label = t(`subscriptions.${buying}`)
  return (
    <>
      <Button
        component={Link}
        to={`/subscription?devices=${encodeURIComponent(device.id)}`}
        variant="default"
        h={44}
        aria-label={`${label}: ${device.name}`}
      >
        {label}
      </Button>
      {renewal}
    </>
  )
}
