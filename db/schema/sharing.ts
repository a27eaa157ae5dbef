import { accounts } from './accounts.ts'
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
    /** Null: from the first position. */
    startsAt: instant(),
    endsAt: instant().notNull(),
    isPermanent: bool().notNull(),
    showsLastPoint: bool().notNull(),
    createdAt: instant().notNull(),
    /** Destination of its trackers. */
    destinationId: int().references(() => places.id, { onDelete: 'set null' }),
    /** Time at which the live stream published the end of the link. */
    endToldAt: instant(),
    /** The user who made it; null when unknown. */
    createdBy: int(),
  },
  (t) => [index('public_links_by_device').on(t.deviceId)],
)

/** The trackers that a link shows besides its first, `public_links.device_id`. */
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

/** The proof of a correct serial number, per identifier. */
export const serialChecks = table('serial_checks', {
  identifier: str().primaryKey(),
  /** Attempts over all accounts, as counted by releases before `serial_attempts`; only those releases read it. */
  remaining: int().notNull(),
  /** SHA-256 of the proof for a correct answer. */
  proofHash: str(),
  proofExpiresAt: instant(),
  /** The user who obtained the proof and alone may use it. */
  proofUserId: int(),
})

/** Attempts that an account has left for the serial number of a tracker (D-12); without a row all of them. */
export const serialAttempts = table(
  'serial_attempts',
  {
    identifier: str().notNull(),
    accountId: int()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    remaining: int().notNull(),
    lastWrongAt: instant(),
  },
  (t) => [primaryKey({ columns: [t.identifier, t.accountId] }), index('serial_attempts_by_account').on(t.accountId)],
)

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
    status: str<'pending' | 'accepted' | 'refused'>().notNull(),
    createdAt: instant().notNull(),
    decidedAt: instant(),
    /** The name of the member of staff; null when the S/N decided it. */
    decidedBy: str(),
    /** The reason that a refused requester was given. */
    refusal: str(),
  },
  (t) => [
    index('unlink_requests_by_identifier').on(t.identifier),
    index('unlink_requests_by_status').on(t.status, t.id),
    index('unlink_requests_by_user').on(t.userId),
  ],
)
