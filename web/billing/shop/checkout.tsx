import { Button } from '@mantine/core'
import { IconShieldHeart } from '@tabler/icons-react'
import { type Dispatch, type SetStateAction, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { HeldSubscription, Price } from '#contracts/billing/subscriptions.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { addOption, type Cart, choosePlan, FEW, hasOption, removeOption } from '#web/billing/cart.ts'
import type { Offer } from '#web/billing/offer.ts'
import { buildPlanOptions } from '#web/billing/subscription.format.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { periodWords } from '#web/lib/i18n/words.ts'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { FleetPlans } from './fleet-plans.tsx'
import { PlanCards } from './plan-cards.tsx'
import classes from './shop.module.css'
import { Summary } from './summary.tsx'
import { TrackerHeading } from './tracker-heading.tsx'

type Held = readonly HeldSubscription[]
type Props = { devices: readonly Device[]; offer: Offer; held: Held; initial: Cart }

export function Checkout({ devices, offer, held, initial }: Props) {
  const [cart, setCart] = useState(initial)
  const [only] = devices
  return (
    <div className={classes.shop}>
      <div className={classes.parts}>
        {devices.length > FEW ? (
          <FleetPlans devices={devices} offer={offer} held={held} cart={cart} setCart={setCart} />
        ) : (
          devices.map((device) => (
            <TrackerPlan
              key={device.id}
              device={device}
              isOnly={devices.length === 1}
              offer={offer}
              held={held}
              cart={cart}
              setCart={setCart}
            />
          ))
        )}
      </div>
      {only && <Summary cart={cart} devices={devices} held={held} />}
    </div>
  )
}

type ForProps = { device: Device; isOnly: boolean; offer: Offer; held: Held; cart: Cart; setCart: Dispatch<SetStateAction<Cart>> }

/** A single tracker gets plan cards; with several, each gets a select field. */
function TrackerPlan({ device, isOnly, offer, held, cart, setCart }: ForProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const plan = cart.plans[device.id] ?? null
  const heldOptions = held.find((each) => each.device === device.id)?.options ?? []
  const label = t('subscriptions.planOf', { name: device.name })
  return (
    <section className={isOnly ? classes.parts : classes.card} aria-label={device.name}>
      <TrackerHeading device={device} isNamed={!isOnly} />
      {isOnly ? (
        <PlanCards
          legend={t('subscriptions.plan')}
          plans={offer.plans}
          plan={plan}
          device={device}
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
          data={buildPlanOptions(t, formats, offer.plans)}
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

const CARE = 'care'
/** Discount of the care option on a replacement tracker, as a fraction. */
const CARE_DISCOUNT = 0.5

type OptionLineProps = { option: Price; isAdded: boolean; isHeld: boolean; onToggle: () => void }

function OptionLine({ option, isAdded, isHeld, onToggle }: OptionLineProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const isCare = option.name === CARE
  const name = isCare ? t('subscriptions.care') : option.name
  return (
    <div className={classes.option}>
      <IconShieldHeart size={22} aria-hidden="true" />
      <p>
        <strong>{name}</strong>
        {isCare && <small>{t('subscriptions.careLead', { percent: formats.percent(CARE_DISCOUNT) })}</small>}
      </p>
      <p className={classes.amount}>
        <strong>{formats.price(option.unit_amount, option.currency)}</strong>
        <small>{periodWords(t, option.recurring)}</small>
      </p>
      {isHeld ? (
        <small>{t('subscriptions.included')}</small>
      ) : (
        <Button
          variant="default"
          h={44}
          onClick={onToggle}
          aria-label={`${isAdded ? t('subscriptions.remove') : t('subscriptions.add')}: ${name}`}
        >
          {isAdded ? t('subscriptions.remove') : t('subscriptions.add')}
        </Button>
      )}
    </div>
  )
}
