import { DELIVERIES_A_DAY } from '#contracts/accounts/channels.ts'
import type { AlertRule } from '#contracts/alerts.ts'
import type { FiringKind } from '#contracts/firings.ts'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { DAY_MS, formatInstant, HOUR_MS } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { findAccountOwner, type Owner } from '#db/people.ts'
import { toFixed7 } from '#db/positions.ts'
import type { NoticeLine } from '#db/schema/places.ts'
import type { DeviceRow } from '#db/scope.ts'
import { endOfQuiet, holdForQuietHours, isUrgent } from '#server/alerts/quiet/hold-alerts.ts'
import type { FiredPair } from '#server/alerts/rules/watch.ts'
import { findSilences } from '#server/alerts/silences/find-silences.ts'
import { countDeliveries, listChannelsFor, queueDelivery } from '#server/channels/channels.store.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import { alertTitle } from '#server/mail/alert-title.ts'
import { countAlertMails, hasMailSince, queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import { listBrowsersFor, queuePush } from '#server/push/push.store.ts'
import { buildPushedAlert } from '#server/push/push-buttons.ts'
import { listDevicesByIds } from './alerts.store.ts'
import { insertFiring } from './firings.store.ts'
import { listAddressesWithoutSight, listAlertContacts, listBatteryContacts } from './tracker-alerts.store.ts'

/** What happened to a tracker. `fix` and `address` say where, `place` is the one that it entered or left. */
type AlertOccurrence = {
  device: DeviceRow
  kind: FiringKind
  at: Date
  place: { id: number; name: string } | null
  rule: AlertRule | null
  fix: Fix | null
  address: string | null
  /** The other tracker of a rule about two, and how many metres they were from each other. */
  other?: DeviceRow | undefined
  distance?: number | undefined
}

/** Names the tracker whose position fired the rule of a pair, and the other one. Without a pair it is the tracker of the message. */
export async function nameTrackers(tx: Tx, device: DeviceRow, pair: FiredPair | null) {
  const [other] = pair ? await listDevicesByIds(tx, [pair.other]) : []
  if (!pair || !other) return { device }
  return { ...(pair.isOfOther ? { device: other, other: device } : { device, other }), distance: pair.distance }
}

/** Publishes what fired alerts of the account; without any it is only an event for the open streams. */
export async function publishAlert(tx: Tx, occurrence: AlertOccurrence, alertIds: readonly number[], now: Date) {
  const owner = alertIds.length > 0 ? await findAccountOwner(tx, occurrence.device.accountId) : undefined
  if (owner) {
    const contacts = isFresh(occurrence, now) ? await listReaders(tx, occurrence, alertIds) : []
    const firing = await notifyPeople(tx, occurrence, { owner, ...(await chooseRecipients(tx, owner, contacts, now)), now })
    return appendAlertEvent(tx, occurrence, { firing, now })
  }
  return appendAlertEvent(tx, occurrence, { now })
}

/** The contacts of alerts, of a pair without team members who do not see both trackers. */
async function listReaders(tx: Tx, { device, other }: AlertOccurrence, alertIds: readonly number[]) {
  const contacts = await listAlertContacts(tx, alertIds)
  if (!other) return contacts
  const hidden = await listAddressesWithoutSight(tx, device.accountId, [device.id, other.id])
  return contacts.filter(({ email }) => !hidden.has(email))
}

/** Publishes a low battery; its mails go to the owner and the contacts chosen for it. */
export async function publishLowBattery(tx: Tx, device: DeviceRow, now: Date) {
  const occurrence: AlertOccurrence = { device, kind: 'low_battery', at: now, place: null, rule: null, fix: null, address: null }
  const owner = await findAccountOwner(tx, device.accountId)
  if (owner) {
    const contacts = (await listBatteryContacts(tx, device.id)).filter(({ email }) => email !== owner.email)
    const { recipients, left } = leaveOut(owner, contacts)
    const firing = await notifyPeople(tx, occurrence, { owner, recipients: [owner.email, ...recipients], left, now })
    return appendAlertEvent(tx, occurrence, { firing, now })
  }
  return appendAlertEvent(tx, occurrence, { now })
}

type Publication = { firing?: number; now: Date }
const appendAlertEvent = (tx: Tx, { device, other, kind, place, at }: AlertOccurrence, { firing, now }: Publication) => {
  const about = { type: kind, place, ...(other && { other: other.id }) }
  const body = { ...about, datetime: formatInstant(at), ...(firing !== undefined && { firing }) }
  return appendLiveEvent(tx, { device, type: 'alert', body, at: now })
}

/** Old positions, which a tracker sends after a gap, notify nobody. */
const isFresh = ({ at }: AlertOccurrence, now: Date) => now.getTime() - at.getTime() <= HOUR_MS

/** Alert mails of an account in 24 hours. */
const MAX_ALERT_MAILS = 500

type Contact = { email: string; stoppedAt: Date | null; isAsked: boolean | null }
/** The addresses to mail, and a line for each that gets no mail. */
type Recipients = { recipients: string[]; left: NoticeLine[] }

/** The contacts without those who unsubscribed or have not agreed yet; an account without a confirmed address mails only itself. */
function leaveOut(owner: Owner, contacts: readonly Contact[]): Recipients {
  const recipients = new Set<string>()
  const left: NoticeLine[] = []
  for (const { email, stoppedAt, isAsked } of contacts) {
    if (stoppedAt) left.push({ way: 'email', to: email, state: 'muted', reason: isAsked ? 'not_agreed' : 'unsubscribed' })
    else if (!owner.emailConfirmed && email !== owner.email) left.push({ way: 'email', to: email, state: 'muted', reason: 'unconfirmed' })
    else recipients.add(email)
  }
  return { recipients: [...recipients], left }
}

/** The contacts to mail, up to the account's limit of mails per day. */
async function chooseRecipients(tx: Tx, owner: Owner, contacts: readonly Contact[], now: Date): Promise<Recipients> {
  const { recipients, left } = leaveOut(owner, contacts)
  if (!owner.emailConfirmed || recipients.length === 0) return { recipients, left }
  const free = Math.max(0, MAX_ALERT_MAILS - (await countAlertMails(tx, owner.id, new Date(now.getTime() - DAY_MS))))
  const over = recipients.slice(free).map((to): NoticeLine => ({ way: 'email', to, state: 'limit', reason: 'daily_limit' }))
  return { recipients: recipients.slice(0, free), left: [...left, ...over] }
}

type Notice = Recipients & { owner: Owner; now: Date }

/**
 * Mails each recipient, notifies the browsers and channels of the account, and adds a line to its list of fired alerts. Who is silenced gets
 * nothing, also not later. Returns the id of the line.
 */
async function notifyPeople(tx: Tx, occurrence: AlertOccurrence, { owner, recipients, left, now }: Notice) {
  const { device, other, distance, kind, at, place, rule, fix, address } = occurrence
  const isSilenced = await findSilences(tx, occurrence, now)
  const mailed = recipients.filter((email) => !isSilenced({ email }))
  const silenced = recipients.filter((email) => isSilenced({ email }))
  const notices = await mailAlerts(tx, occurrence, { owner, recipients: mailed, now })
  notices.push(...silenced.map((to): NoticeLine => ({ way: 'email', to, ...SILENCED })))
  if (isFresh(occurrence, now)) {
    const sending = { isUrgent: isUrgent(device, kind), isSilenced, owner, now }
    notices.push(...(await pushAlert(tx, occurrence, sending)), ...(await queueForChannels(tx, occurrence, sending)))
  }
  return insertFiring(tx, {
    deviceId: device.id,
    accountId: device.accountId,
    at,
    kind,
    aboutId: place?.id ?? null,
    about: place?.name ?? null,
    rule,
    otherId: other?.id ?? null,
    distance: distance ?? null,
    mails: mailed.length,
    ...(fix && { lat: toFixed7(fix.lat), lng: toFixed7(fix.lng), precision: Math.round(fix.precision), address }),
    publishedAt: now,
    notices: [...notices, ...left],
    isOpen: notices.length > 0 || left.length > 0,
  })
}

/** Mails an alert to each recipient; those with quiet hours get it when these end. */
async function mailAlerts(tx: Tx, occurrence: AlertOccurrence, { owner, recipients, now }: Omit<Notice, 'left'>) {
  const { atOnce, held } = await holdForQuietHours(tx, recipients, occurrence, now)
  const notices: NoticeLine[] = []
  for (const to of atOnce) notices.push({ way: 'email', ref: await mailAlert(tx, occurrence, { owner, to, now }) })
  for (const [to, id] of held) notices.push({ way: 'email', to, held: id })
  return notices
}

type Mailing = { owner: Owner; to: string; now: Date }

/** Mails an alert in the language and time zone of the owner. */
function mailAlert(tx: Tx, occurrence: AlertOccurrence, { owner, to, now }: Mailing) {
  const { device, other, distance, kind, at, place, rule, fix, address } = occurrence
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
  if (kind === 'place_enter' || kind === 'place_leave')
    return queueMail(tx, { ...mail, template: 'place_alert', data: { ...data, type: kind, place: place?.name ?? '' } })
  if (kind === 'vehicle_alert' || kind === 'low_battery') return queueMail(tx, { ...mail, template: kind, data })
  const about = {
    type: kind,
    rule: JSON.stringify(rule),
    ...(place && { place: place.name }),
    ...(other && { other: other.name, distance: String(distance) }),
  }
  return queueMail(tx, { ...mail, template: 'rule_alert', data: { ...data, ...about } })
}

const SILENCED = { state: 'muted', reason: 'silenced' } as const

type Sending = { owner: Owner; isUrgent: boolean; isSilenced: Awaited<ReturnType<typeof findSilences>>; now: Date }

/** Notifies the browsers of all users who see the tracker, in their languages. During quiet hours only urgent alerts. */
async function pushAlert(tx: Tx, occurrence: AlertOccurrence, { isUrgent, isSilenced, now }: Sending) {
  const { device, other, distance, kind, place, rule, fix, address } = occurrence
  const notices: NoticeLine[] = []
  const spot = fix && { lat: fix.lat, lng: fix.lng, precision: fix.precision, kind: device.kind, accountId: device.accountId }
  for (const { browserId, userId, role, name, language, ...user } of await listBrowsersFor(tx, device, other)) {
    const line: NoticeLine = { way: 'push', ...(name && { to: name }), user: userId }
    if (isSilenced({ userId })) {
      notices.push({ ...line, ...SILENCED })
      continue
    }
    if (!isUrgent && endOfQuiet(user, now)) {
      notices.push({ ...line, state: 'muted', reason: 'quiet_hours' })
      continue
    }
    const title = alertTitle(language, { kind, tracker: device.name, other: other?.name, distance, place: place?.name, rule })
    const alert = { ...buildPushedAlert(device, kind, { role, language }, now), ...(spot && { spot }) }
    const content = { title, body: address ?? '', url: `/trackers/${device.id}`, alert, isUrgent }
    notices.push({ ...line, ref: await queuePush(tx, browserId, content, now) })
  }
  return notices
}

/**
 * Queues an alert for the channels of all users who see the tracker, and that get its kind. During a user's quiet hours messages to people wait for their end,
 * unless they are urgent; webhooks get everything at once, because programs do not sleep. Beyond the
 * account's limit of messages per day nothing is queued, which one mail per day tells the owner.
 */
async function queueForChannels(tx: Tx, occurrence: AlertOccurrence, { owner, isUrgent, isSilenced, now }: Sending) {
  const { device, other, distance, kind, place, rule, at, fix, address } = occurrence
  const notices: NoticeLine[] = []
  const yesterday = new Date(now.getTime() - DAY_MS)
  const chosen = (await listChannelsFor(tx, device, other)).filter(({ kinds }) => kinds === null || kinds.includes(kind))
  let free = chosen.length > 0 ? DELIVERIES_A_DAY - (await countDeliveries(tx, device.accountId, yesterday)) : 0
  for (const { id: channelId, kind: channelKind, label, userId, ...user } of chosen) {
    if (isSilenced({ userId })) {
      notices.push({ way: channelKind, to: label, user: userId, ...SILENCED })
      continue
    }
    if (free-- <= 0) {
      notices.push({ way: channelKind, to: label, user: userId, state: 'limit', reason: 'daily_limit' })
      continue
    }
    const quietEnd = isUrgent || channelKind === 'webhook' ? null : endOfQuiet(user, now)
    const position = fix && { lat: fix.lat, lng: fix.lng, precision: fix.precision }
    const content = {
      type: 'alert',
      kind,
      ...(rule && { rule }),
      device: { id: device.id, name: device.name },
      ...(other && { other: { id: other.id, name: other.name }, ...(distance !== undefined && { distance }) }),
      place,
      at: formatInstant(at),
      position,
      address,
    } as const
    const ref = await queueDelivery(tx, { channelId, content, isUrgent, at: now, ...(quietEnd && { from: quietEnd }) })
    notices.push({ way: channelKind, to: label, user: userId, ref })
  }
  if (notices.some(({ state }) => state === 'limit') && !(await hasMailSince(tx, owner.id, 'channel_limit', yesterday)))
    await queueMail(tx, {
      to: owner.email,
      template: 'channel_limit',
      ...recipientColumns(owner),
      data: { limit: String(DELIVERIES_A_DAY) },
      now,
    })
  return notices
}
