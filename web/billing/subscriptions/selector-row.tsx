import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { HeldSubscription, Price } from '#contracts/billing/subscriptions.ts'
import type { SubscriptionAction } from '#contracts/rules/subscription.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { availableAction, CARE_HASH, toPurchaseAction } from '#web/billing/offer.ts'
import { ManageButton, RenewalButton } from '#web/billing/renewal-button.tsx'
import classes from '#web/billing/selector.module.css'
import { buildPlanOptions, formatEnds } from '#web/billing/subscription.format.ts'
import { ProNote } from '#web/billing/subscription-notices.tsx'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { ActivateButton } from '#web/trackers/parts/activate-button.tsx'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import type { RowAttributes } from '#web/ui/lists/long-rows.tsx'

type Props = {
  device: Device
  held: HeldSubscription | undefined
  plans: readonly Price[]
  hasCare: boolean
  /** Whether plans are selected in the rows, for several trackers at once. */
  isSeveral: boolean
  plan: Price | null
  onPlan: (id: string) => void
  /** Only in a long list. */
  onTick?: ((isOn: boolean) => void) | undefined
  attributes: RowAttributes
}

export function SelectorRow({ device, held, plans, hasCare, isSeveral, plan, onPlan, onTick, attributes }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const action = availableAction(device, now)
  const canBuy = toPurchaseAction(action) !== null && plans.length > 0
  const next = held?.next_amount
  const hasTick = isSeveral && onTick !== undefined
  return (
    <li
      {...attributes}
      className={classes.row}
      data-off={action === 'support' || undefined}
      data-tick={hasTick || undefined}
      data-chosen={plan !== null || undefined}
    >
      {hasTick && (
        <label className={classes.tick}>
          <input
            type="checkbox"
            aria-label={t('subscriptions.several.choose', { name: device.name })}
            disabled={!canBuy}
            checked={plan !== null}
            onChange={({ target }) => onTick(target.checked)}
          />
        </label>
      )}
      <KindDisc of={device} />
      <div className={classes.text}>
        <strong>{device.name}</strong>
        <small>{formatEnds(t, formats, device, plan, now)}</small>
        {next && (
          <small>
            {t('subscriptions.nextAmount', { date: formats.date(next.from), price: formats.price(next.amount, next.currency) })}
          </small>
        )}
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
