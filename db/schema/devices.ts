import { sql } from 'drizzle-orm'
import { INCLUDED_MONTHS, type SubState } from '#contracts/rules/subscription.ts'
import type { EventType, NetworkState } from '#contracts/rules/tracking/reporting.ts'
import type { DeviceType, Kind, Operator, TrackerIcon } from '#contracts/rules/tracking/tracker.ts'
import type { KeyMessageReason, KeyProtocol } from '#contracts/trackers/device-keys.ts'
import { accounts, users } from './accounts.ts'
import { bool, bytes, index, instant, int, pk, primaryKey, str, table, uniqueIndex } from './columns.ts'

export const tags = table(
  'tags',
  {
    id: pk(),
    accountId: int()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    name: str().notNull(),
    /** The name in lower case: unique per account ignoring case. */
    key: str().notNull(),
    color: str().notNull(),
  },
  (t) => [uniqueIndex('tags_by_key').on(t.accountId, t.key)],
)

/** One tracker of an account, with its newest state and its settings. */
export const devices = table(
  'devices',
  {
    id: pk(),
    accountId: int()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    type: str<DeviceType>().notNull(),
    boardName: str().notNull(),
    name: str().notNull(),
    identifier: str().unique(),
    serial: str().unique(),
    kind: str<Kind>().notNull(),
    icon: str<TrackerIcon>(),
    /** SHA-256 of the large photo. */
    photo: str(),
    tagId: int().references(() => tags.id, { onDelete: 'set null' }),
    operator: str<Operator>(),
    isLinkedToPro: bool().notNull().default(false),
    activeCollarSince: instant(),
    createdAt: instant().notNull(),
    /** When its account first added it, of which the days of grace count; null if that was `createdAt`. */
    graceFrom: instant(),

    mode: int().notNull(),
    pendingMode: int(),
    /** Whether a pending mode is sent through a network; then it applies when the network reports its delivery. */
    takesDownlinks: bool().notNull().default(false),
    networkState: str<NetworkState>().notNull().default('active'),
    /** When its user last reactivated its network: silence counts from here (D-18). */
    networkActivatedAt: instant(),
    boostUntil: instant(),

    subState: str<SubState>().notNull(),
    subEndDate: instant(),
    /** While its plan is paused: since when, and the time at which it goes on by itself. */
    pausedFrom: instant(),
    pausedUntil: instant(),

    battery: int(),
    /** The battery level below which the owner gets a mail: percent, or mV for tracker_02; null for the default. */
    lowBattery: int(),
    /** Degrees times 1e7. */
    lat: int(),
    lng: int(),
    precision: int(),
    /** Degrees clockwise from north, as measured by the device at its position. */
    course: int(),
    positionAt: instant(),
    address: str(),
    lastEvent: str<EventType>(),
    lastEventAt: instant(),
    lastMessageAt: instant(),
    stationarySince: instant(),
    onlineSince: instant(),
    /** The state that the tracker shows while it rests, as JSON; null until it reports while resting (docs/resting.md). */
    beforeRest: str(),
  },
  (t) => [
    index('devices_by_account').on(t.accountId),
    index('devices_by_end').on(t.subState, t.subEndDate),
    index('devices_by_name').on(sql`lower(${t.name})`, t.id),
    index('devices_by_creation').on(t.createdAt, t.id),
  ],
)

/** Photos of trackers as JPEG, without metadata. */
export const photos = table(
  'photos',
  {
    deviceId: int()
      .primaryKey()
      .references(() => devices.id, { onDelete: 'cascade' }),
    hash: str().notNull(),
    large: bytes().notNull(),
    small: bytes().notNull(),
  },
  (t) => [index('photos_by_hash').on(t.hash)],
)

/** Trackers that a user hides from the map (C-25: `visible` is per device and user). */
export const hiddenDevices = table(
  'hidden_devices',
  {
    userId: int()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.userId, t.deviceId] })],
)

/** Parameters of the configurable mode, in minutes. */
export const sct2Params = table('sct2_params', {
  deviceId: int()
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  frequency: int().notNull(),
  keepalivePeriod: int().notNull(),
  tempUplinkSlicesDuration: int().notNull(),
  tempSliceDuration: int().notNull(),
})

/** Manufactured trackers (D-22). A row stays when its tracker is claimed by an account, and when it is removed from there. */
export const stockItems = table(
  'stock_items',
  {
    identifier: str().primaryKey(),
    serial: str().notNull(),
    type: str<DeviceType>().notNull(),
    boardName: str().notNull(),
    includedMonths: int().notNull().default(INCLUDED_MONTHS),
    batch: str(),
    /** Null when unknown: added before this was recorded. */
    addedAt: instant(),
    blockedAt: instant(),
    /** The order with which it was sent. */
    orderReference: str(),
    /** Whether a tracker with its identifier is on an account. Triggers of the migrations keep it, also for servers of the release before. */
    isClaimed: bool().notNull().default(false),
  },
  (t) => [
    uniqueIndex('stock_items_by_serial').on(t.serial),
    index('stock_items_by_batch').on(t.batch, t.identifier),
    index('stock_items_by_order').on(t.orderReference),
    index('stock_items_by_type').on(t.type, t.identifier),
    index('stock_items_sorted_by_batch').on(sql`(case when ${t.batch} is null then '' else ${t.batch} end)`, t.identifier),
    index('stock_items_by_months').on(t.includedMonths, t.identifier),
    index('stock_items_by_addition').on(sql`(case when ${t.addedAt} is null then 0 else ${t.addedAt} end)`, t.identifier),
    index('stock_items_by_blocked').on(t.blockedAt, t.identifier),
    index('stock_items_by_claim').on(t.isClaimed, t.identifier).where(sql`blocked_at is null`),
  ],
)

/** Accounts that a stock item was on, and its removal from there. The current one follows from the tracker. */
export const pastClaims = table(
  'past_claims',
  {
    id: pk(),
    identifier: str().notNull(),
    /** Null once the account is erased. */
    accountId: int(),
    claimedAt: instant().notNull(),
    removedAt: instant().notNull(),
  },
  (t) => [index('past_claims_by_identifier').on(t.identifier), index('past_claims_by_account').on(t.accountId)],
)

/** Included months that have been used, which happens once: `key` is an identifier, or `phone:` and the id of an account. */
export const includedMonthsUsed = table('included_months_used', {
  key: str().primaryKey(),
  at: instant().notNull(),
})

/** Keys that authenticate devices and gateways, stored as SHA-256; removing the row revokes the key. */
export const deviceKeys = table(
  'device_keys',
  {
    id: pk(),
    hash: str().notNull().unique(),
    label: str().notNull(),
    /** The tracker that the key reports for; null for a gateway, which reports for all. */
    deviceId: int().references(() => devices.id, { onDelete: 'cascade' }),
    createdAt: instant(),
    lastUsedAt: instant(),
    /** The user who made it; null when unknown. */
    createdBy: int(),
  },
  (t) => [index('device_keys_by_device').on(t.deviceId)],
)

/** The last message with each key, for each tracker it reported for: whether it was accepted, and why not. */
export const keyMessages = table(
  'key_messages',
  {
    keyId: int()
      .notNull()
      .references(() => deviceKeys.id, { onDelete: 'cascade' }),
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    at: instant().notNull(),
    protocol: str<KeyProtocol>().notNull(),
    outcome: str<'read' | 'refused'>().notNull(),
    reason: str<KeyMessageReason>(),
    positions: int().notNull(),
  },
  (t) => [primaryKey({ columns: [t.keyId, t.deviceId] }), index('key_messages_by_device').on(t.deviceId)],
)
