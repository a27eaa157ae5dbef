import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import type { HeldSubscription, Price } from '#contracts/subscriptions.ts'
import { actionFor, buyingOf } from '#web/billing/offer.ts'
import classes from '#web/billing/selector.module.css'
import { planOptions } from '#web/billing/shop/plan-options.ts'
import { standingWords } from '#web/billing/state-words.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { KindDisc } from '#web/trackers/parts/kind-disc.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { RowAction } from './row-action.tsx'

type Props = {
  device: Device
  held: HeldSubscription | undefined
  plans: readonly Price[]
  plan: Price | null
  onPlan: (id: string) => void
}

export function SelectorRow({ device, held, plans, plan, onPlan }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const action = actionFor(device, now)
  const canBuy = buyingOf(action) !== null && plans.length > 0
  return (
    <li className={classes.row} data-off={action === 'support' || undefined}>
      <KindDisc kind={device.kind} />
      <div className={classes.text}>
        <strong>{device.name}</strong>
        <small>{standingWords(t, formats, device, now)}</small>
      </div>
      <div className={classes.actions}>
        {canBuy && (
          <SelectField
            className={classes.select ?? ''}
            aria-label={t('subscriptions.planOf', { name: device.name })}
            value={plan?.id ?? ''}
            onChange={({ currentTarget }) => onPlan(currentTarget.value)}
            data={[{ value: '', label: t('duration.noChange') }, ...planOptions(t, formats, plans)]}
          />
        )}
        <RowAction device={device} action={action} held={held} plan={plan} canBuy={canBuy} />
      </div>
    </li>
  )
}
