import type { FiringKind } from '#contracts/firings.ts'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { DAY_MS, formatInstant, HOUR_MS } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { findAccountOwner, type Owner } from '#db/people.ts'
import type { DeviceRow } from '#db/scope.ts'
import { endOfQuiet, holdForQuietHours, isUrgent } from '#server/alerts/quiet/hold-alerts.ts'
import { listChannelsFor, queueDelivery } from '#server/channels/channels.store.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import { alertTitle } from '#server/mail/alert-title.ts'
import { countAlertMails, queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import { listBrowsersFor, queuePush } from '#server/push/push.store.ts'
import { insertFiring } from './firings.store.ts'
import { listBatteryContacts, listContactEmails } from './tracker-alerts.store.ts'

/** What happened to a tracker. `fix` and `address` say where, `place` is the one that it entered or left. */
type AlertOccurrence = {
  device: DeviceRow
  kind: FiringKind
  at: Date
  place: { id: number; name: string } | null
  fix: Fix | null
  address: string | null
}

/** Publishes what fired alerts of the account; without any it is only an event for the open streams. */
export async function publishAlert(tx: Tx, occurrence: AlertOccurrence, alertIds: readonly number[], now: Date) {
  const owner = alertIds.length > 0 ? await findAccountOwner(tx, occurrence.device.accountId) : undefined
  if (owner) {
    const recipients = isFresh(occurrence, now) ? await listRecipients(tx, owner, alertIds, now) : []
    await notifyPeople(tx, occurrence, { owner, recipients, now })
  }
  await appendAlertEvent(tx, occurrence, now)
}

/** Publishes a low battery; its mails go to the owner and the contacts chosen for it. */
export async function publishLowBattery(tx: Tx, device: DeviceRow, now: Date) {
  const occurrence: AlertOccurrence = { device, kind: 'low_battery', at: now, place: null, fix: null, address: null }
  const owner = await findAccountOwner(tx, device.accountId)
  if (owner) {
    const contacts = owner.emailConfirmed ? await listBatteryContacts(tx, device.id) : []
    const recipients = new Set([owner.email, ...contacts.flatMap(({ email, stoppedAt }) => (stoppedAt ? [] : email))])
    await notifyPeople(tx, occurrence, { owner, recipients: [...recipients], now })
  }
  await appendAlertEvent(tx, occurrence, now)
}

const appendAlertEvent = (tx: Tx, { device, kind, place, at }: AlertOccurrence, now: Date) =>
  appendLiveEvent(tx, { device, type: 'alert', body: { type: kind, place, datetime: formatInstant(at) }, at: now })

/** Old positions, which a tracker sends after a gap, notify nobody. */
const isFresh = ({ at }: AlertOccurrence, now: Date) => now.getTime() - at.getTime() <= HOUR_MS

/** Alert mails of an account in 24 hours. */
const MAX_ALERT_MAILS = 500

/** The contacts, up to the account's limit of mails per day; an account without a confirmed address mails only itself. */
async function listRecipients(tx: Tx, owner: Owner, alertIds: readonly number[], now: Date) {
  const contacts = await listContactEmails(tx, alertIds)
  if (!owner.emailConfirmed) return contacts.filter((email) => email === owner.email)
  const sent = await countAlertMails(tx, owner.id, new Date(now.getTime() - DAY_MS))
  return contacts.slice(0, Math.max(0, MAX_ALERT_MAILS - sent))
}

type Notice = { owner: Owner; recipients: string[]; now: Date }

/** Mails each recipient, notifies the browsers and channels of the account, and adds a line to its list of fired alerts. */
async function notifyPeople(tx: Tx, occurrence: AlertOccurrence, { owner, recipients, now }: Notice) {
  const { device, kind, at, place } = occurrence
  for (const to of await holdForQuietHours(tx, recipients, occurrence, now)) await mailAlert(tx, occurrence, { owner, to, now })
  if (isFresh(occurrence, now)) {
    const urgent = isUrgent(device, kind)
    await pushAlert(tx, occurrence, urgent, now)
    await queueForChannels(tx, occurrence, urgent, now)
  }
  const about = { aboutId: place?.id ?? null, about: place?.name ?? null }
  await insertFiring(tx, { deviceId: device.id, accountId: device.accountId, at, kind, ...about, mails: recipients.length })
}

type Mailing = { owner: Owner; to: string; now: Date }

/** Mails an alert in the language and time zone of the owner. */
function mailAlert(tx: Tx, { device, kind, at, place, fix, address }: AlertOccurrence, { owner, to, now }: Mailing) {
  const isOwner = owner.email === to
  // With the account the mail has a link that stops such mails. The owner cannot stop those about a low battery.
  const isStoppable = !isOwner || kind !== 'low_battery'
  const data = {
    tracker: device.name,
    ...(isStoppable && { account: String(device.accountId) }),
    datetime: formatInstant(at),
    ...(fix && { lat: String(fix.lat), lng: String(fix.lng), precision: String(fix.precision), kind: device.kind }),
    ...(fix && device.photo && { photo: device.photo }),
    ...(address !== null && { address }),
    ...(isOwner ? { device: String(device.id) } : owner.firstName && { owner: owner.firstName }),
  }
  const mail = { to, ...recipientColumns(owner), now }
  return kind === 'place_enter' || kind === 'place_leave'
    ? queueMail(tx, { ...mail, template: 'place_alert', data: { ...data, type: kind, place: place?.name ?? '' } })
    : queueMail(tx, { ...mail, template: kind, data })
}

/** Notifies the browsers of all users who see the tracker, in their languages. During quiet hours only urgent alerts. */
async function pushAlert(tx: Tx, { device, kind, place, address }: AlertOccurrence, isUrgent: boolean, now: Date) {
  for (const { browserId, language, ...user } of await listBrowsersFor(tx, device)) {
    if (!isUrgent && endOfQuiet(user, now)) continue
    const title = alertTitle(language, { kind, tracker: device.name, place: place?.name })
    await queuePush(tx, browserId, { title, body: address ?? '', url: `/trackers/${device.id}`, isUrgent }, now)
  }
}

/**
 * Queues an alert for the channels of all users who see the tracker. During a user's quiet hours messages to people wait for their end,
 * unless they are urgent; webhooks get everything at once, because programs do not sleep.
 */
async function queueForChannels(tx: Tx, occurrence: AlertOccurrence, isUrgent: boolean, now: Date) {
  const { device, kind, place, at, fix, address } = occurrence
  for (const { id: channelId, kind: channelKind, ...user } of await listChannelsFor(tx, device)) {
    const quietEnd = isUrgent || channelKind === 'webhook' ? null : endOfQuiet(user, now)
    const position = fix && { lat: fix.lat, lng: fix.lng, precision: fix.precision }
    const content = {
      type: 'alert',
      kind,
      device: { id: device.id, name: device.name },
      place,
      at: formatInstant(at),
      position,
      address,
    } as const
    await queueDelivery(tx, { channelId, content, isUrgent, at: now, ...(quietEnd && { from: quietEnd }) })
  }
}
