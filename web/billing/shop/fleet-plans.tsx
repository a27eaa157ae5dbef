import type { Dispatch, SetStateAction } from 'react'
import { useTranslation } from 'react-i18next'
import type { HeldSubscription } from '#contracts/billing/subscriptions.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { addOption, type Cart, choosePlan, hasOption, removeOption } from '#web/billing/cart.ts'
import type { Offer } from '#web/billing/offer.ts'
import { buildPlanOptions, formatEnds } from '#web/billing/subscription.format.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { periodWords } from '#web/lib/i18n/words.ts'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import classes from './fleet-plans.module.css'

type Props = {
  devices: readonly Device[]
  offer: Offer
  held: readonly HeldSubscription[]
  cart: Cart
  setCart: Dispatch<SetStateAction<Cart>>
}

/** One plan and the options for all trackers of a large purchase, and below it each with its own plan, its end now and afterwards. */
export function FleetPlans({ devices, offer, held, cart, setCart }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const [first, ...others] = devices.map(({ id }) => cart.plans[id]?.id)
  const common = others.every((id) => id === first) ? first : undefined
  const findPlan = (id: string) => offer.plans.find((price) => price.id === id)
  const choose = (chosen: readonly Device[], id: string) => {
    const price = findPlan(id)
    if (price) setCart((before) => chosen.reduce((cart, device) => choosePlan(cart, device.id, price), before))
  }
  return (
    <>
      <section className={classes.all} aria-label={t('subscriptions.several.planForAll')}>
        <SelectField
          label={t('subscriptions.several.planForAll')}
          value={common ?? ''}
          onChange={({ currentTarget }) => choose(devices, currentTarget.value)}
          data={[
            ...(common ? [] : [{ value: '', label: t('subscriptions.several.samePlan'), disabled: true }]),
            ...buildPlanOptions(t, formats, offer.plans),
          ]}
        />
        {offer.options.map((option) => {
          const without = devices.filter(({ id }) => !held.find((each) => each.device === id)?.options.includes(option.id))
          const isAdded = without.length > 0 && without.every(({ id }) => hasOption(cart, id, option))
          const change = isAdded ? removeOption : addOption
          const name = option.name === 'care' ? t('subscriptions.care') : option.name
          return (
            <CheckboxField
              key={option.id}
              disabled={without.length === 0}
              checked={isAdded}
              onChange={() => setCart((before) => without.reduce((cart, { id }) => change(cart, id, option), before))}
            >
              {[
                `${name}, ${formats.number(without.length)} × ${formats.price(option.unit_amount, option.currency)}`,
                periodWords(t, option.recurring),
              ]
                .filter(Boolean)
                .join(' ')}
            </CheckboxField>
          )
        })}
      </section>
      <ul className={classes.rows} aria-label={t('trackers.list')}>
        {devices.map((device) => {
          const plan = cart.plans[device.id] ?? null
          return (
            <li key={device.id}>
              <p>
                <strong>{device.name}</strong>
                <small>{formatEnds(t, formats, device, plan, now)}</small>
              </p>
              <SelectField
                aria-label={t('subscriptions.planOf', { name: device.name })}
                value={plan?.id ?? ''}
                onChange={({ currentTarget }) => choose([device], currentTarget.value)}
                data={buildPlanOptions(t, formats, offer.plans)}
              />
            </li>
          )
        })}
      </ul>
    </>
  )
}
