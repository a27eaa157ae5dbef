import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { compareDevices } from '#contracts/rules/tracking/sorting.ts'
import { hasCarePlan } from '#web/billing/care-plan.ts'
import { cartPath, choosePlan, EMPTY_CART, listPlans, selectTracker, sumByPeriod } from '#web/billing/cart.ts'
import { availableAction, toPurchaseAction } from '#web/billing/offer.ts'
import classes from '#web/billing/selector.module.css'
import { NoPlansNotice, NoTrackerNotice, TaxNote } from '#web/billing/subscription-notices.tsx'
import { useShopData } from '#web/billing/subscriptions.queries.ts'
import { useFeature } from '#web/lib/api/features.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { periodWords } from '#web/lib/i18n/words.ts'
import { Page } from '#web/ui/page.tsx'
import { SelectorRow } from './selector-row.tsx'

export default function SelectorScreen() {
  const { t } = useTranslation()
  const formats = useFormats()
  const { offer, devices, held } = useShopData()
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
      {devices.length > 0 && !isSold && <NoPlansNotice />}
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
              <span key={periodWords(t, recurring)}>
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
