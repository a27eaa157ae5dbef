import type { AlertRule, AlertSchedule } from '#contracts/alerts.ts'
import type { FiringKind, NoticeReason, NoticeState, NoticeWay } from '#contracts/firings.ts'
import type { PlaceType, Trigger } from '#contracts/rules/geo/place.ts'
import type { Shape } from '#contracts/rules/geo/shape.ts'
import type { Rule } from '#contracts/rules/tracking/rules/rule.ts'
import { accounts, users } from './accounts.ts'
import { bool, index, instant, int, json, pk, primaryKey, str, table, uniqueIndex } from './columns.ts'
import { devices } from './devices.ts'

const ofAccount = () =>
  int()
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' })
const ofDevice = () =>
  int()
    .notNull()
    .references(() => devices.id, { onDelete: 'cascade' })

/** A circle around an address; degrees times 1e7, radius in metres. The circle of a place with a shape contains it. */
export const places = table(
  'places',
  {
    id: pk(),
    accountId: ofAccount(),
    name: str().notNull(),
    address: str().notNull(),
    type: str<PlaceType>().notNull(),
    radius: int().notNull(),
    lat: int().notNull(),
    lng: int().notNull(),
    /** Points in degrees; null for a circle. */
    shape: json<Shape>(),
  },
  (t) => [index('places_by_account').on(t.accountId)],
)

/** Trackers for which a place is enabled. */
export const placeDevices = table(
  'place_devices',
  {
    placeId: int()
      .notNull()
      .references(() => places.id, { onDelete: 'cascade' }),
    deviceId: ofDevice(),
  },
  (t) => [primaryKey({ columns: [t.placeId, t.deviceId] })],
)

export const contacts = table(
  'contacts',
  { id: pk(), accountId: ofAccount(), name: str().notNull(), email: str().notNull(), phone: str() },
  (t) => [uniqueIndex('contacts_by_email').on(t.accountId, t.email)],
)

/** Addresses that get no alert mails of an account; they stay when the contact is removed and added again. */
export const mailStops = table(
  'mail_stops',
  {
    accountId: ofAccount(),
    email: str().notNull(),
    stoppedAt: instant().notNull(),
    /** Whether the person was only asked and has not agreed yet; false: the person opted out. */
    isAsked: bool().notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.email] })],
)

export const alerts = table(
  'alerts',
  {
    id: pk(),
    accountId: ofAccount(),
    name: str(),
    placeId: int().references(() => places.id, { onDelete: 'cascade' }),
    trigger: str<Trigger>(),
    isVehicleAlert: bool().notNull().default(false),
    /** What the alert watches instead of a border or a vehicle. */
    rule: json<AlertRule>(),
    /** When it may fire; null for always. */
    schedule: json<AlertSchedule>(),
    /** The least minutes between two firings for one tracker; 0 for the usual few. */
    pause: int().notNull().default(0),
    /** Null while the alert is on. */
    offSince: instant(),
  },
  (t) => [index('alerts_by_account').on(t.accountId)],
)

export const alertDevices = table(
  'alert_devices',
  {
    alertId: int()
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    deviceId: ofDevice(),
    /** The last known side of the border; null before the tracker's first fix. */
    crossing: json<unknown>(),
    firedAt: instant(),
    /** What the rule of the alert remembers of this tracker. */
    state: json<unknown>(),
    /** When a rule has to be looked at although no message came: never later than it falls due. */
    dueAt: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.alertId, t.deviceId] }),
    index('alert_devices_by_device').on(t.deviceId),
    index('alert_devices_by_due').on(t.dueAt),
  ],
)

export const alertContacts = table(
  'alert_contacts',
  {
    alertId: int()
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    contactId: int()
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.alertId, t.contactId] })],
)

/**
 * A notice of an alert. `ref` is the id of the mail, the notification or the delivery, whose row has the state; `held` that of the alert
 * held for the morning. What was never sent, and what has lost its row, has its state here. `to` is absent where that row has it.
 */
export type NoticeLine = {
  way: NoticeWay
  ref?: number
  held?: number
  to?: string
  /** The user whose browser or channel it is. */
  user?: number
  state?: NoticeState
  at?: number
  reason?: NoticeReason
  status?: number
}

/** Alerts that fired, for a year; alerts of the same kind and place that fire together are one row. */
export const alertFirings = table(
  'alert_firings',
  {
    id: pk(),
    accountId: ofAccount(),
    deviceId: ofDevice(),
    at: instant().notNull(),
    kind: str<FiringKind>().notNull(),
    /** The place, if there is one; the row outlives it. */
    aboutId: int(),
    about: str(),
    /** The rule that fired, as it was then. */
    rule: json<Rule>(),
    /** The other tracker of a rule about two, and how many metres they were from each other. */
    otherId: int().references(() => devices.id, { onDelete: 'cascade' }),
    distance: int(),
    mails: int().notNull(),
    /** Degrees times 1e7; null without a fix, and once the positions of that time were removed. */
    lat: int(),
    lng: int(),
    precision: int(),
    address: str(),
    publishedAt: instant(),
    notices: json<NoticeLine[]>(),
    /** Whether notices refer to rows of outboxes, which are deleted earlier than this row. */
    isOpen: bool().notNull().default(false),
    /** When somebody of the account marked it as a false alarm. */
    falseAlarmAt: instant(),
  },
  (t) => [
    index('alert_firings_by_number').on(t.accountId, t.id),
    index('alert_firings_open').on(t.isOpen, t.publishedAt),
    index('alert_firings_by_account').on(t.accountId, t.at, t.id),
    index('alert_firings_by_device').on(t.deviceId, t.at, t.id),
    index('alert_firings_by_time').on(t.at),
    index('alert_firings_by_other').on(t.otherId),
  ],
)

/** Exceptions from `users.seenFirings`: newer alerts that a user has seen, and older ones marked as not seen. */
export const firingMarks = table(
  'firing_marks',
  {
    firingId: int()
      .notNull()
      .references(() => alertFirings.id, { onDelete: 'cascade' }),
    userId: int()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    isSeen: bool().notNull(),
  },
  (t) => [primaryKey({ columns: [t.firingId, t.userId] }), index('firing_marks_by_user').on(t.userId, t.isSeen)],
)

/** Alerts that fired in a user's quiet hours; they are mailed together when these end. */
export const heldAlerts = table(
  'held_alerts',
  {
    id: pk(),
    userId: int()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    accountId: ofAccount(),
    deviceId: ofDevice(),
    at: instant().notNull(),
    kind: str<FiringKind>().notNull(),
    /** Name of the place, if there is one. */
    place: str(),
    rule: json<AlertRule>(),
    /** As of a firing. */
    otherId: int().references(() => devices.id, { onDelete: 'cascade' }),
    distance: int(),
    until: instant().notNull(),
    /** When the quiet hours ended, and the mail that lists the alert then; no mail to those who have unsubscribed meanwhile. */
    endedAt: instant(),
    mailId: int(),
  },
  (t) => [index('held_alerts_by_end').on(t.until), index('held_alerts_by_user').on(t.userId, t.accountId)],
)

/** Alerts that are muted until an instant: `userId` is null if it holds for everyone of the account. */
export const alertSilences = table(
  'alert_silences',
  {
    id: pk(),
    accountId: ofAccount(),
    userId: int().references(() => users.id, { onDelete: 'cascade' }),
    /** False if it names trackers, also when all of them were removed. */
    isForAllDevices: bool().notNull(),
    placeId: int().references(() => places.id, { onDelete: 'cascade' }),
    /** Null for all kinds. */
    kinds: json<FiringKind[]>(),
    createdAt: instant().notNull(),
    until: instant().notNull(),
    note: str(),
  },
  (t) => [index('alert_silences_by_account').on(t.accountId, t.until), index('alert_silences_by_end').on(t.until)],
)

/** The trackers of a silence that names some. */
export const alertSilenceDevices = table(
  'alert_silence_devices',
  {
    silenceId: int()
      .notNull()
      .references(() => alertSilences.id, { onDelete: 'cascade' }),
    deviceId: ofDevice(),
  },
  (t) => [primaryKey({ columns: [t.silenceId, t.deviceId] }), index('alert_silence_devices_by_device').on(t.deviceId)],
)

/** Contacts that get a tracker's low battery alert in addition to its owner. */
export const batteryContacts = table(
  'battery_contacts',
  {
    deviceId: ofDevice(),
    contactId: int()
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.contactId] })],
)

/** Addresses that the geocoder found, by cell (`db/addresses.ts`); null where it found none. They name no account and no tracker. */
export const addressCells = table('address_cells', {
  cell: int().primaryKey(),
  address: str(),
  foundAt: instant().notNull(),
})
