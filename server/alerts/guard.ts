import type { Tx } from '#db/open.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { LiveEvent } from '#server/lib/live.ts'
import { keepEvent } from '#server/lib/live-log/store.ts'
import { contactEmails, keepCrossing, ownerLanguage, queueMail, watchRows } from './store.ts'
import { type Firing, type Watch, watchOf } from './watch.ts'

/** The alerts on guard over a tracker. */
export const watchesOf = async (tx: Tx, deviceId: number) => (await watchRows(tx, deviceId)).map(watchOf)

/** Remembers what the watches saw. */
export async function keepWatches(tx: Tx, deviceId: number, watches: Watch[]) {
  for (const { hasChanged, ...watch } of watches) if (hasChanged) await keepCrossing(tx, { deviceId, ...watch })
}

type Told = { device: DeviceRow; firing: Firing; address: string | null; now: Date }

/** Tells of what fired: each contact by one mail, in the owner's language, and the live stream by the event answered. */
export async function tell(tx: Tx, { device, firing, address, now }: Told): Promise<LiveEvent> {
  const { type, place, alertIds } = firing
  const datetime = new Date(firing.fix.datetime).toISOString()
  const to = alertIds.length > 0 ? await contactEmails(tx, alertIds) : []
  const language = to.length > 0 ? await ownerLanguage(tx, device.accountId) : 'en'
  const data = { type, tracker: device.name, place: place?.name ?? '', address: address ?? '', datetime }
  for (const email of to) await queueMail(tx, { to: email, template: templateOf(type), language, data, now })
  return keepEvent(tx, { device, type: 'alert', body: { type, place, datetime }, at: now })
}

const templateOf = (type: Firing['type']) => (type === 'vehicle_alert' ? 'vehicle_alert' : 'place_alert')
