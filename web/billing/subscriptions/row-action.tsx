import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Device } from '#contracts/devices.ts'
import type { SubscriptionAction } from '#contracts/rules/subscription-action.ts'
import type { HeldSubscription, Price } from '#contracts/subscriptions.ts'
import { choosePlan, EMPTY } from '#web/billing/cart.ts'
import { ManageButton } from '#web/billing/manage-button.tsx'
import { buyingOf } from '#web/billing/offer.ts'
import { ProNote } from '#web/billing/pro-note.tsx'
import { RenewalButton } from '#web/billing/renewal-button.tsx'
import { pathOf } from '#web/billing/wish.ts'
import { ActivateButton } from '#web/trackers/parts/activate-button.tsx'

type Props = { device: Device; action: SubscriptionAction; held: HeldSubscription | undefined; plan: Price | null; canBuy: boolean }

export function RowAction({ device, action, held, plan, canBuy }: Props) {
  const { t } = useTranslation()
  const buying = buyingOf(action)
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
        to={plan ? pathOf(choosePlan(EMPTY, device.id, plan)) : `/subscription?devices=${device.id}`}
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
