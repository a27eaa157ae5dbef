import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import type { HeldSubscription } from '#contracts/subscriptions.ts'
import { ManageButton } from '#web/billing/manage-button.tsx'
import { actionFor } from '#web/billing/offer.ts'
import { ProNote } from '#web/billing/pro-note.tsx'
import { RenewalButton } from '#web/billing/renewal-button.tsx'
import { useNow } from '#web/lib/clock.ts'
import { ActivateButton } from '#web/trackers/parts/activate-button.tsx'
import classes from './shop.module.css'
import { TrackerHead } from './tracker-head.tsx'

/** Explains why nothing can be bought for a tracker and offers the alternative; null for trackers that can be paid for. */
export function NotForSale({ device, held }: { device: Device; held: HeldSubscription | undefined }) {
  const { t } = useTranslation()
  const action = actionFor(device, useNow())
  if (action !== 'support' && action !== 'manage' && action !== 'activate') return null
  return (
    <section className={classes.card} aria-label={device.name}>
      <TrackerHead device={device} isNamed />
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
