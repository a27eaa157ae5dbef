import type { FiringKind } from '#contracts/firings.ts'
import type { Tx } from '#db/db.ts'
import type { DeviceRow } from '#db/scope.ts'
import { endOfQuiet, isUrgent } from '#server/alerts/quiet/hold-alerts.ts'
import { createTranslate, type MailKey } from '#server/mail/mail-translate.ts'
import { listBrowsersFor, queuePush } from '#server/push/push.store.ts'

type Occurrence = { device: DeviceRow; kind: FiringKind; place: string | null; address?: string | null }

const TITLES: Record<FiringKind, MailKey> = {
  place_enter: 'place_alert.place_enter',
  place_leave: 'place_alert.place_leave',
  vehicle_alert: 'vehicle_alert.subject',
  low_battery: 'low_battery.subject',
}

/** Notifies the browsers of all users who see the tracker, in their languages. During quiet hours only urgent alerts. */
export async function pushAlert(tx: Tx, { device, kind, place, address }: Occurrence, now: Date) {
  const urgent = isUrgent(device, kind)
  for (const { browserId, language, ...user } of await listBrowsersFor(tx, device)) {
    if (!urgent && endOfQuiet(user, now)) continue
    const title = createTranslate(language)(TITLES[kind], { tracker: device.name, place: place ?? '' })
    await queuePush(tx, browserId, { title, body: address ?? '', url: `/trackers/${device.id}`, isUrgent: urgent }, now)
  }
}
