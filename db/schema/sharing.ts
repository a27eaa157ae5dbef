import { bool, index, instant, int, pk, primaryKey, str, table } from './columns.ts'
import { devices } from './devices.ts'
import { places } from './places.ts'

export const publicLinks = table(
  'public_links',
  {
    uuid: str().primaryKey(),
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    label: str().notNull(),
    /** Null: from the beginning. */
    startsAt: instant(),
    endsAt: instant().notNull(),
    isPermanent: bool().notNull(),
    showsLastPoint: bool().notNull(),
    createdAt: instant().notNull(),
    /** Where its trackers are on their way to. */
    destinationId: int().references(() => places.id, { onDelete: 'set null' }),
    /** When its end was told to the live stream. */
    endToldAt: instant(),
    /** The user who made it; null when that is not known. */
    createdBy: int(),
  },
  (t) => [index('public_links_by_device').on(t.deviceId)],
)

/** The trackers that a link shows beside its first, `public_links.device_id`. */
export const linkDevices = table(
  'link_devices',
  {
    linkUuid: str()
      .notNull()
      .references(() => publicLinks.uuid, { onDelete: 'cascade' }),
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.linkUuid, t.deviceId] }), index('link_devices_by_device').on(t.deviceId)],
)

/** One open report per tracker (D-34). */
export const theftReports = table(
  'theft_reports',
  {
    id: pk(),
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    date: instant().notNull(),
    address: str().notNull(),
    description: str().notNull(),
    policeReference: str(),
    status: str<'open' | 'closed'>().notNull(),
    createdAt: instant().notNull(),
    closedAt: instant(),
  },
  (t) => [index('theft_reports_by_device').on(t.deviceId)],
)

/** Attempts to name a tracker's serial number, per identifier over all users (D-12). */
export const serialChecks = table('serial_checks', {
  identifier: str().primaryKey(),
  remaining: int().notNull(),
  /** SHA-256 of the proof that a right answer earned. */
  proofHash: str(),
  proofExpiresAt: instant(),
  /** The user who earned the proof and alone may use it. */
  proofUserId: int(),
})

export const unlinkRequests = table(
  'unlink_requests',
  {
    id: pk(),
    identifier: str().notNull(),
    userId: int().notNull(),
    email: str().notNull(),
    reason: str<'bought_used' | 'gift' | 'own_other_account' | 'other'>().notNull(),
    message: str(),
    purchaseDate: str(),
    purchasePlace: str(),
    orderReference: str(),
    status: str<'pending' | 'accepted'>().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [index('unlink_requests_by_identifier').on(t.identifier)],
)
