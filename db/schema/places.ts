import type { FiringKind } from '#contracts/firings.ts'
import type { PlaceType, Trigger } from '#contracts/rules/geo/place.ts'
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

/** A circle around an address; degrees times 1e7, radius in metres. */
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

/** Addresses whose owner opted out of an account's alert mails; they stay when the contact is removed and added again. */
export const mailStops = table('mail_stops', { accountId: ofAccount(), email: str().notNull(), stoppedAt: instant().notNull() }, (t) => [
  primaryKey({ columns: [t.accountId, t.email] }),
])

export const alerts = table(
  'alerts',
  {
    id: pk(),
    accountId: ofAccount(),
    name: str(),
    placeId: int().references(() => places.id, { onDelete: 'cascade' }),
    trigger: str<Trigger>(),
    isVehicleAlert: bool().notNull().default(false),
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
  },
  (t) => [primaryKey({ columns: [t.alertId, t.deviceId] }), index('alert_devices_by_device').on(t.deviceId)],
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

/** Alerts that fired, for 90 days; alerts of the same kind and place that fire together are one row. */
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
    mails: int().notNull(),
  },
  (t) => [
    index('alert_firings_by_account').on(t.accountId, t.at, t.id),
    index('alert_firings_by_device').on(t.deviceId, t.at, t.id),
    index('alert_firings_by_time').on(t.at),
  ],
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
    until: instant().notNull(),
  },
  (t) => [index('held_alerts_by_end').on(t.until), index('held_alerts_by_user').on(t.userId, t.accountId)],
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
