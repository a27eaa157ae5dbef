import type { Network, NumberKind } from '#contracts/rules/reading/network-number.ts'
import { accounts } from './accounts.ts'
import { index, instant, int, pk, primaryKey, str, table, uniqueIndex } from './columns.ts'
import { devices } from './devices.ts'

/** Identifiers of trackers in networks: at most one of each kind, and none on two trackers. */
export const networkNumbers = table(
  'network_numbers',
  {
    kind: str<NumberKind>().notNull(),
    value: str().notNull(),
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.kind, t.value] }), uniqueIndex('network_numbers_by_device').on(t.deviceId, t.kind)],
)

/** Keys with which a network reports for all trackers of an account, stored as SHA-256. */
export const networkKeys = table(
  'network_keys',
  {
    id: pk(),
    hash: str().notNull().unique(),
    label: str().notNull(),
    accountId: int()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
    /** The user who made it; null when unknown. */
    createdBy: int(),
  },
  (t) => [index('network_keys_by_account').on(t.accountId)],
)

/** Unparsed uplinks, so that a better mapping can read them again. Deleted after a month. */
export const uplinks = table(
  'uplinks',
  {
    id: pk(),
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    network: str<Network>().notNull(),
    /** The network's id of the uplink, which is the same when it sends the uplink again. */
    uplinkId: str().notNull(),
    body: str().notNull(),
    receivedAt: instant().notNull(),
  },
  (t) => [uniqueIndex('uplinks_by_uplink_id').on(t.deviceId, t.uplinkId), index('uplinks_by_time').on(t.receivedAt)],
)

/** The ChirpStack server of an account, whose API sends messages to its trackers. */
export const networkServers = table('network_servers', {
  accountId: int()
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  url: str().notNull(),
  /** The API token, encrypted. */
  token: str().notNull(),
})

/** How to send a message to a tracker through its network, and the last mode that was passed to the network. */
export const downlinks = table(
  'downlinks',
  {
    deviceId: int()
      .primaryKey()
      .references(() => devices.id, { onDelete: 'cascade' }),
    network: str<'tts' | 'chirpstack' | 'chirpstack3'>().notNull(),
    url: str().notNull(),
    /** The secret of the API, encrypted. */
    token: str().notNull(),
    /** The mode in transit; null without one. */
    mode: int(),
    /** The network's id of this message, repeated in its events. */
    messageId: str(),
    /** While a server passes the mode on: until this time, after which the server counts as killed. Null once the network has it. */
    sendingUntil: instant(),
  },
  (t) => [index('downlinks_by_sending').on(t.sendingUntil)],
)

/** The owner's mapping of a tracker's decoded payload to values, as dotted paths. */
export const uplinkMappings = table('uplink_mappings', {
  deviceId: int()
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  latitude: str(),
  longitude: str(),
  battery: str(),
})
