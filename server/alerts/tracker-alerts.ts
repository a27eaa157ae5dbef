import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { ownerOf } from '#db/people.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import { queueMail, recipientColumns } from '#server/mail/mail.ts'
import type { LiveEvent } from '#server/ports/live.ts'
import { listContactEmails, listWatchRows, saveCrossing } from './tracker-alerts.store.ts'
import { buildWatch, type Firing, type Watch } from './watch.ts'

export async function loadWatches(tx: Tx, device: DeviceRow) {
  const last = lastFix(device)
  return (await listWatchRows(tx, device.id)).map((row) => buildWatch(row, last))
}

function lastFix({ lat, lng, precision, positionAt }: DeviceRow): Fix | null {
  if (lat === null || lng === null || precision === null || positionAt === null) return null
  return { lat: fromFixed7(lat), lng: fromFixed7(lng), precision, datetime: positionAt.getTime() }
}

export async function saveWatches(tx: Tx, deviceId: number, watches: Watch[]) {
  for (const { hasChanged, ...watch } of watches) if (hasChanged) await saveCrossing(tx, { deviceId, ...watch })
}

type AlertOccurrence = { device: DeviceRow; firing: Firing; address: string | null; now: Date }

/** Mails a fired alert to each contact once, in the owner's language and time zone; returns the live event to publish after the commit. */
export async function publishAlert(tx: Tx, { device, firing, address, now }: AlertOccurrence): Promise<LiveEvent> {
  const { type, place, alertIds } = firing
  const datetime = formatInstant(new Date(firing.fix.datetime))
  const recipients = alertIds.length > 0 ? await listContactEmails(tx, alertIds) : []
  const owner = recipients.length > 0 ? await ownerOf(tx, device.accountId) : undefined
  const wording = owner ? recipientColumns(owner) : { language: 'en' as const }
  const about = { tracker: device.name, datetime, ...(address !== null && { address }) }
  for (const to of recipients) {
    if (type === 'vehicle_alert') await queueMail(tx, { to, template: 'vehicle_alert', ...wording, data: about, now })
    else await queueMail(tx, { to, template: 'place_alert', ...wording, data: { ...about, type, place: place?.name ?? '' }, now })
  }
  return appendLiveEvent(tx, { device, type: 'alert', body: { type, place, datetime }, at: now })
}

/** Mails a low battery to the owner; returns the live event to publish after the commit. */
export async function publishLowBattery(tx: Tx, device: DeviceRow, now: Date): Promise<LiveEvent> {
  const datetime = formatInstant(now)
  const owner = await ownerOf(tx, device.accountId)
  const data = { tracker: device.name, device: String(device.id), datetime }
  if (owner) await queueMail(tx, { to: owner.email, template: 'low_battery', ...recipientColumns(owner), data, now })
  return appendLiveEvent(tx, { device, type: 'alert', body: { type: 'low_battery', place: null, datetime }, at: now })
}
