import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { wire } from '#contracts/rules/time.ts'
import { ownerOf } from '#db/people.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { keepEvent } from '#server/live/live-log.store.ts'
import { queueMail, wordedFor } from '#server/mail/mail.ts'
import type { LiveEvent } from '#server/ports/live.ts'
import { contactEmails, keepCrossing, watchRows } from './alerts.store.ts'
import { type Firing, type Watch, watchOf } from './watch.ts'

export async function watchesOf(tx: Tx, device: DeviceRow) {
  const last = lastFixOf(device)
  return (await watchRows(tx, device.id)).map((row) => watchOf(row, last))
}

function lastFixOf({ lat, lng, precision, positionAt }: DeviceRow): Fix | null {
  if (lat === null || lng === null || precision === null || positionAt === null) return null
  return { lat: fromFixed7(lat), lng: fromFixed7(lng), precision, datetime: positionAt.getTime() }
}

export async function keepWatches(tx: Tx, deviceId: number, watches: Watch[]) {
  for (const { hasChanged, ...watch } of watches) if (hasChanged) await keepCrossing(tx, { deviceId, ...watch })
}

type Told = { device: DeviceRow; firing: Firing; address: string | null; now: Date }

/** Mails a fired alert to each contact once, in the owner's language and time zone; returns the live event to publish after the commit. */
export async function tell(tx: Tx, { device, firing, address, now }: Told): Promise<LiveEvent> {
  const { type, place, alertIds } = firing
  const datetime = wire(new Date(firing.fix.datetime))
  const recipients = alertIds.length > 0 ? await contactEmails(tx, alertIds) : []
  const owner = recipients.length > 0 ? await ownerOf(tx, device.accountId) : undefined
  const wording = owner ? wordedFor(owner) : { language: 'en' as const }
  const about = { tracker: device.name, datetime, ...(address !== null && { address }) }
  for (const to of recipients) {
    if (type === 'vehicle_alert') await queueMail(tx, { to, template: 'vehicle_alert', ...wording, data: about, now })
    else await queueMail(tx, { to, template: 'place_alert', ...wording, data: { ...about, type, place: place?.name ?? '' }, now })
  }
  return keepEvent(tx, { device, type: 'alert', body: { type, place, datetime }, at: now })
}

/** Mails a low battery to the owner; returns the live event to publish after the commit. */
export async function tellLowBattery(tx: Tx, device: DeviceRow, now: Date): Promise<LiveEvent> {
  const datetime = wire(now)
  const owner = await ownerOf(tx, device.accountId)
  const data = { tracker: device.name, device: String(device.id), datetime }
  if (owner) await queueMail(tx, { to: owner.email, template: 'low_battery', ...wordedFor(owner), data, now })
  return keepEvent(tx, { device, type: 'alert', body: { type: 'low_battery', place: null, datetime }, at: now })
}
