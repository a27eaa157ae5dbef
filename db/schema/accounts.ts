import { sql } from 'drizzle-orm'
import type { Language } from '#contracts/lib/languages.ts'
import type { Role } from '#contracts/lib/rights.ts'
import type { QuietSpan } from '#contracts/rules/tracking/rules/quiet-hours.ts'
import { bool, bytes, index, instant, int, json, pk, primaryKey, str, table } from './columns.ts'

/** Owns trackers, places, cards…: one person, or the team of a pro account. */
export const accounts = table('accounts', {
  id: pk(),
  isPro: bool().notNull().default(false),
  adminEmail: str(),
  stripeCustomer: str().unique(),
  /** How long positions are stored; null is without limit. */
  retentionDays: int(),
  /** When older positions are removed next. */
  retentionDueAt: instant(),
  /** Positions before this instant were removed because of that setting. */
  positionsRemovedBefore: instant(),
})

export const users = table(
  'users',
  {
    id: pk(),
    accountId: int()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    username: str().notNull().unique(),
    email: str().notNull().unique(),
    emailConfirmed: bool().notNull().default(false),
    role: str<Role>().notNull().default('user'),
    firstName: str().notNull(),
    lastName: str().notNull(),
    birthDate: str(),
    /** argon2id; null until an invited user sets a password. */
    passwordHash: str(),
    marketingConsent: bool().notNull().default(false),
    language: str<Language>().notNull().default('en'),
    currency: str().notNull().default('eur'),
    /** IANA time zone for the times in mails; UTC when unknown. */
    timeZone: str(),
    /** Quiet hours in that zone as `22:00` and `07:00`; both null without a daily period. */
    quietFrom: str(),
    quietTo: str(),
    /** All spans of the quiet hours, unless they are one daily period or none. */
    quietSpans: json<QuietSpan[]>(),
    /** The user has seen the fired alerts up to this id. Numbers follow the order of publishing, also of alerts that arrive late. */
    seenFirings: int().notNull().default(0),
    /** The version of the terms that the user accepted last, and when; null before. */
    termsVersion: str(),
    termsAcceptedAt: instant(),
    createdAt: instant().notNull(),
  },
  (t) => [
    index('users_by_account').on(t.accountId),
    index('users_by_creation').on(t.createdAt),
    index('users_by_confirmation').on(t.emailConfirmed, t.createdAt),
    index('users_by_first_name').on(sql`lower(${t.firstName})`),
    index('users_by_last_name').on(sql`lower(${t.lastName})`),
    index('owners_by_name').on(sql`lower(${t.lastName} || ' ' || ${t.firstName})`, t.accountId).where(sql`role <> 'pro'`),
    index('owners_by_email').on(t.email).where(sql`role <> 'pro'`),
    index('owners_by_account').on(t.accountId).where(sql`role <> 'pro'`),
  ],
)

/** Sessions: opaque tokens, stored as SHA-256 (D-36). */
export const tokens = table(
  'tokens',
  {
    hash: str().primaryKey(),
    userId: int()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    /** To within ten minutes; a session expires after two weeks without use. */
    lastSeenAt: instant().notNull(),
    /** When the user last confirmed their identity with a password or a second factor; null since the sign-in. */
    confirmedAt: instant(),
    /** Browser and system of the sign-in, such as `Firefox, Windows`. */
    agent: str(),
    /** Network of the sign-in, such as `203.0.113.0/24`. */
    place: str(),
  },
  (t) => [index('tokens_by_user').on(t.userId), index('tokens_by_use').on(t.lastSeenAt)],
)

/** Browsers that a user has signed in from: the SHA-256 of a cookie, and a description. */
export const knownBrowsers = table(
  'known_browsers',
  {
    userId: int()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: str().notNull(),
    agent: str(),
    place: str(),
    lastSeenAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.hash] })],
)

/** A copy of a user's data in progress, or finished at `readyAt`. */
export const dataCopies = table(
  'data_copies',
  {
    id: pk(),
    userId: int()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
    readyAt: instant(),
    /** When the copy is removed, or an unfinished one is given up. */
    endsAt: instant().notNull(),
    /** Size of the zip file once it is ready. */
    size: int(),
  },
  (t) => [index('data_copies_by_user').on(t.userId)],
)

/** The files of a copy, each compressed as in the zip file. */
export const dataCopyFiles = table(
  'data_copy_files',
  {
    copyId: int()
      .notNull()
      .references(() => dataCopies.id, { onDelete: 'cascade' }),
    name: str().notNull(),
    at: instant().notNull(),
    /** CRC-32 and size before compression. */
    crc: int().notNull(),
    size: int().notNull(),
    packed: bytes().notNull(),
  },
  (t) => [primaryKey({ columns: [t.copyId, t.name] })],
)

export type EmailKeyKind = 'confirm' | 'change' | 'reset' | 'invitation' | 'revert'

/** Single-use keys of e-mail links, stored as SHA-256 (D-27). */
export const emailKeys = table(
  'email_keys',
  {
    hash: str().primaryKey(),
    userId: int()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: str<EmailKeyKind>().notNull(),
    /** The new address of an e-mail change, or the old one for a key that reverts it. */
    email: str(),
    /** The session that requested an e-mail change; it stays open when the others end. */
    session: str(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (t) => [index('email_keys_by_user').on(t.userId, t.kind)],
)

/** Counters of rate-limited actions: wrong passwords, repeated e-mails. */
export const throttles = table('throttles', { key: str().primaryKey(), count: int().notNull(), resetsAt: instant().notNull() })

/** Which trackers of a pro account a member sees (C-25). */
export const teamDevices = table('team_devices', { userId: int().notNull(), deviceId: int().notNull() }, (t) => [
  primaryKey({ columns: [t.userId, t.deviceId] }),
])
