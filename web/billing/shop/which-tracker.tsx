import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { Device } from '#contracts/devices.ts'
import { byDeviceOrder } from '#contracts/rules/device-order.ts'
import { choosePlan, EMPTY } from '#web/billing/cart.ts'
import { actionFor, buyingOf, type Offer } from '#web/billing/offer.ts'
import { pathOf } from '#web/billing/wish.ts'
import { useNow } from '#web/lib/clock.ts'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { PlanCards } from './plan-cards.tsx'
import classes from './shop.module.css'
import { TaxNote } from './tax-note.tsx'

/** Shown when the URL names no tracker: the user picks a plan and a tracker first. */
export function WhichTracker({ devices, offer }: { devices: readonly Device[]; offer: Offer }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const now = useNow()
  const [plan, setPlan] = useState(offer.plans[0] ?? null)
  const sold = devices.filter((device) => buyingOf(actionFor(device, now))).toSorted(byDeviceOrder)
  return (
    <div className={classes.parts} data-narrow>
      <SelectField
        label={t('title.tracker')}
        value=""
        onChange={({ currentTarget }) =>
          plan && void navigate(pathOf(choosePlan(EMPTY, Number(currentTarget.value), plan)), { replace: true })
        }
        data={[
          { value: '', label: t('subscriptions.chooseTracker'), disabled: true },
          ...sold.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <PlanCards legend={t('subscriptions.plan')} plans={offer.plans} plan={plan} onPlan={setPlan} />
      <TaxNote prices={plan ? [plan] : []} />
    </div>
  )
}
