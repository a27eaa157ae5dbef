import { type Dispatch, type SetStateAction, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import type { HeldSubscription } from '#contracts/subscriptions.ts'
import { addOption, type Cart, choosePlan, hasOption, removeOption } from '#web/billing/cart.ts'
import type { Offer } from '#web/billing/offer.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { OptionLine } from './option-line.tsx'
import { PlanCards } from './plan-cards.tsx'
import { planOptions } from './plan-options.ts'
import classes from './shop.module.css'
import { Summary } from './summary.tsx'
import { TrackerHead } from './tracker-head.tsx'

type Held = readonly HeldSubscription[]
type Props = { devices: readonly Device[]; offer: Offer; held: Held; initial: Cart }

export function Checkout({ devices, offer, held, initial }: Props) {
  const [cart, setCart] = useState(initial)
  const [only] = devices
  return (
    <div className={classes.shop}>
      <div className={classes.parts}>
        {devices.map((device) => (
          <ForTracker
            key={device.id}
            device={device}
            isOnly={devices.length === 1}
            offer={offer}
            held={held}
            cart={cart}
            setCart={setCart}
          />
        ))}
      </div>
      {only && <Summary cart={cart} devices={devices} held={held} />}
    </div>
  )
}

type ForProps = { device: Device; isOnly: boolean; offer: Offer; held: Held; cart: Cart; setCart: Dispatch<SetStateAction<Cart>> }

/** A single tracker gets plan cards; with several, each gets a select field. */
function ForTracker({ device, isOnly, offer, held, cart, setCart }: ForProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const plan = cart.plans[device.id] ?? null
  const heldOptions = held.find((each) => each.device === device.id)?.options ?? []
  const label = t('subscriptions.planOf', { name: device.name })
  return (
    <section className={isOnly ? classes.parts : classes.card} aria-label={device.name}>
      <TrackerHead device={device} isNamed={!isOnly} />
      {isOnly ? (
        <PlanCards
          legend={t('subscriptions.plan')}
          plans={offer.plans}
          plan={plan}
          onPlan={(price) => setCart((before) => choosePlan(before, device.id, price))}
        />
      ) : (
        <SelectField
          aria-label={label}
          value={plan?.id ?? ''}
          onChange={({ currentTarget: { value } }) => {
            const price = offer.plans.find(({ id }) => id === value)
            if (price) setCart((before) => choosePlan(before, device.id, price))
          }}
          data={planOptions(t, formats, offer.plans)}
        />
      )}
      {offer.options.length > 0 && isOnly && <h2 className={classes.heading}>{t('subscriptions.options')}</h2>}
      {offer.options.map((option) => {
        const isAdded = hasOption(cart, device.id, option)
        const change = isAdded ? removeOption : addOption
        return (
          <OptionLine
            key={option.id}
            option={option}
            isAdded={isAdded}
            isHeld={heldOptions.includes(option.id)}
            onToggle={() => setCart((before) => change(before, device.id, option))}
          />
        )
      })}
    </section>
  )
}
