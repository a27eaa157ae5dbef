import type { Scope } from '#contracts/lib/scopes.ts'
import type { SecurityKind } from '#contracts/lib/security-kinds.ts'
import { accounts, tokens, users } from './accounts.ts'
import { bool, index, instant, int, json, pk, primaryKey, str, table } from './columns.ts'
import { devices } from './devices.ts'

/** Security events of an account; rows are only added, and deleted after a year. */
export const securityLog = table(
  'security_log',
  {
    id: pk(),
    accountId: int()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** The only user who sees it; null if it concerns the whole account. */
    userId: int().references(() => users.id, { onDelete: 'cascade' }),
    at: instant().notNull(),
    kind: str<SecurityKind>().notNull(),
    /** The name of the user who caused it, stored because the user may be deleted; null without a session. */
    actorId: int(),
    who: str(),
    /** Network of the request. */
    place: str(),
    /** The tracker, if there is one; the event outlives it. */
    aboutId: int(),
    /** The subject of the entry: the name of a tracker, a link or a browser. */
    about: str(),
  },
  (t) => [
    index('security_log_by_account').on(t.accountId, t.id),
    index('security_log_by_actor').on(t.actorId, t.at),
    index('security_log_by_time').on(t.at),
  ],
)

/** Codes that sign in elsewhere with the rights of a session, stored as SHA-256: the newest of each session. */
export const handOffs = table(
  'hand_offs',
  {
    hash: str().primaryKey(),
    session: str()
      .notNull()
      .references(() => tokens.hash, { onDelete: 'cascade' }),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (t) => [index('hand_offs_by_session').on(t.session)],
)

/** Tokens for programs of a user that call the API, stored as SHA-256. */
export const apiTokens = table(
  'api_tokens',
  {
    hash: str().primaryKey(),
    userId: int()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    label: str().notNull(),
    scopes: json<Scope[]>().notNull(),
    /** Whether it gives access only to the trackers in `api_token_devices`, of which some or all may be gone. */
    isLimited: bool().notNull(),
    createdAt: instant().notNull(),
    /** Null if the key never expires. */
    expiresAt: instant(),
    /** Time of the last use, to within ten minutes. */
    lastUsedAt: instant(),
  },
  (t) => [index('api_tokens_by_user').on(t.userId), index('api_tokens_by_end').on(t.expiresAt)],
)

/** The trackers that a limited token gives access to. */
export const apiTokenDevices = table(
  'api_token_devices',
  {
    tokenHash: str()
      .notNull()
      .references(() => apiTokens.hash, { onDelete: 'cascade' }),
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.tokenHash, t.deviceId] }), index('api_token_devices_by_device').on(t.deviceId)],
)

/** Kinds of things that people end for good, so that no restored backup may bring them back. A password ends when another replaces it. */
export type EndingKind =
  | 'user'
  | 'tracker'
  | 'contact'
  | 'mail_stop'
  | 'password'
  | 'passkey'
  | 'api_token'
  | 'public_link'
  | 'device_key'
  | 'network_key'
  | 'staff_member'
  | 'staff_key'

/** Things that people have ended for good. Servers copy the list to a file, from which they are ended again after a restore. */
export const endings = table('endings', {
  id: pk(),
  kind: str<EndingKind>().notNull(),
  hash: str().notNull().unique(),
})
