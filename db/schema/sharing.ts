import { sql } from 'drizzle-orm'
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
    /** What its owner tells visitors: a name, a phone number to call, a sentence. Null: nothing. */
    sharedBy: str(),
    phone: str(),
    note: str(),
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
    /** The tracker that another account has; empty for a plan. */
    identifier: str().notNull(),
    userId: int().notNull(),
    email: str().notNull(),
    reason: str<'bought_used' | 'gift' | 'own_other_account' | 'other'>().notNull(),
    message: str(),
    purchaseDate: str(),
    purchasePlace: str(),
    orderReference: str(),
    status: str<'pending' | 'accepted' | 'refused' | 'withdrawn'>().notNull(),
    createdAt: instant().notNull(),
    decidedAt: instant(),
    /** The name of the member of staff; null when the S/N decided it. */
    decidedBy: str(),
    /** The reason that a refused requester was given. */
    refusal: str(),
    kind: str<'tracker' | 'plan_move' | 'plan_pause'>().notNull().default('tracker'),
    /** The tracker that has the plan, and the one that gets it. */
    fromDeviceId: int(),
    toDeviceId: int(),
    /** Until when a plan is to be paused. */
    pauseUntil: instant(),
  },
  (t) => [
    index('unlink_requests_by_identifier').on(t.identifier),
    index('unlink_requests_by_status').on(t.status, t.id),
    index('unlink_requests_by_user').on(t.userId),
  ],
)

/**
 * Plans that have moved from one tracker to another. They count against the moves that owners make without support, and say which tracker
 * an earlier purchase is for now. The ids stay when a tracker is removed, otherwise removing one would allow another move.
 */
export const planMoves = table(
  'plan_moves',
  {
    id: pk(),
    accountId: int()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    fromDeviceId: int().notNull(),
    toDeviceId: int().notNull(),
    /** Moved by the owner, without asking support. */
    isOwn: bool().notNull(),
    movedAt: instant().notNull(),
  },
  (t) => [index('plan_moves_by_account').on(t.accountId, t.movedAt)],
)

/**
 * Pauses of plans, one row for each tracker that is paused. They count against the pauses that owners make without support; the ids stay when
 * a tracker is removed.
 */
export const planPauses = table(
  'plan_pauses',
  {
    id: pk(),
    accountId: int()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    deviceId: int().notNull(),
    /** The card provider's subscription that is paused with it. */
    providerId: str(),
    /** Until when that was paid before the pause; null until the provider has been asked. */
    providerEnd: instant(),
    /** Paused by the owner, without asking support. */
    isOwn: bool().notNull(),
    startedAt: instant().notNull(),
    until: instant().notNull(),
    /** When it ended: on its day, or earlier. */
    resumedAt: instant(),
  },
  (t) => [
    index('plan_pauses_by_account').on(t.accountId, t.id).where(sql`resumed_at is null`),
    index('plan_pauses_by_device').on(t.deviceId, t.startedAt),
    index('plan_pauses_by_provider').on(t.providerId, t.id),
    index('plan_pauses_by_end').on(t.until).where(sql`resumed_at is null`),
  ],
)
