import { sql } from 'drizzle-orm'
import type { AnnouncementLevel } from '#contracts/accounts/announcements.ts'
import type { Language } from '#contracts/lib/languages.ts'
import type { StaffRole } from '#contracts/lib/staff-rights.ts'
import type { DeedKind } from '#contracts/operator/deeds.ts'
import { accounts } from './accounts.ts'
import { bool, index, instant, int, json, pk, str, table, uniqueIndex } from './columns.ts'

/** The company's staff. They are no users: no account of the portal has their rights. */
export const staff = table('staff', {
  id: pk(),
  email: str().notNull().unique(),
  name: str().notNull(),
  role: str<StaffRole>().notNull(),
  /** argon2id; null until the invitation is accepted. */
  passwordHash: str(),
  /** The TOTP secret, encrypted; null until the invitation is opened. */
  totpSecret: str(),
  /** The half minute of the last accepted code: each code works once. */
  totpStep: int(),
  /** SHA-256 of the key in the link of the invitation; null once it is accepted. */
  invitationHash: str().unique(),
  invitationEndsAt: instant(),
  createdAt: instant().notNull(),
  /** The name stays in the log. */
  removedAt: instant(),
})

/** Single-use codes of staff who have lost their phone, stored as SHA-256. */
export const staffRecoveryCodes = table(
  'staff_recovery_codes',
  {
    hash: str().primaryKey(),
    staffId: int()
      .notNull()
      .references(() => staff.id, { onDelete: 'cascade' }),
  },
  (t) => [index('staff_recovery_codes_by_staff').on(t.staffId)],
)

/** Sessions of the console, stored as SHA-256. */
export const staffSessions = table(
  'staff_sessions',
  {
    hash: str().primaryKey(),
    staffId: int()
      .notNull()
      .references(() => staff.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    lastSeenAt: instant().notNull(),
    agent: str(),
    place: str(),
  },
  (t) => [index('staff_sessions_by_staff').on(t.staffId)],
)

/** Keys with which other systems of the company, such as its shop, call the operator's API; stored as SHA-256. */
export const staffKeys = table('staff_keys', {
  id: pk(),
  hash: str().notNull().unique(),
  label: str().notNull(),
  role: str<StaffRole>().notNull(),
  createdAt: instant().notNull(),
  /** To within ten minutes. */
  lastUsedAt: instant(),
  endedAt: instant(),
})

/** What staff, the company's systems and the operator's program have done, each in the transaction of the deed. */
export const deeds = table(
  'deeds',
  {
    id: pk(),
    at: instant().notNull(),
    kind: str<DeedKind>().notNull(),
    /** Who did it, such as `staff:3`, `key:2` or `program`. */
    actor: str().notNull(),
    /** The name of the actor at that time. */
    who: str().notNull(),
    /** What it was done to, as people know it: an identifier, an e-mail address, a number of an order. */
    subject: str().notNull(),
    /** The account that it concerns; the row outlives it. */
    accountId: int(),
    /** Further facts, such as months or an amount. */
    detail: json<Record<string, string | number | null>>().notNull(),
    /** The caller's `Idempotency-Key` with SHA-256 of its request, and the response, which a repeat gets again. */
    repeatKey: str(),
    requestHash: str(),
    response: json<unknown>(),
  },
  (t) => [
    index('deeds_by_time').on(t.at),
    index('deeds_by_account').on(t.accountId, t.id),
    index('deeds_by_subject').on(t.subject, t.id),
    index('deeds_by_who').on(t.who, t.id),
    index('deeds_by_kind').on(t.kind, t.id),
    index('deeds_by_kind_and_who').on(t.kind, t.who, t.id),
    uniqueIndex('deeds_by_key').on(t.actor, t.repeatKey),
  ],
)

/** Messages of the company to everybody who is signed in. */
export const announcements = table(
  'announcements',
  {
    id: pk(),
    level: str<AnnouncementLevel>().notNull(),
    /** By language. */
    texts: json<Partial<Record<Language, string>>>().notNull(),
    startsAt: instant().notNull(),
    endsAt: instant().notNull(),
    createdAt: instant().notNull(),
    isMailed: bool().notNull().default(false),
    /** The last account whose owner has the mail; the next batch begins after it. */
    mailedUpTo: int(),
    /** When the mails to all owners were queued. */
    mailedAt: instant(),
  },
  (t) => [index('announcements_by_end').on(t.endsAt)],
)

/** Codes that were made together, for a print run or for one customer. */
export const codeBatches = table(
  'code_batches',
  {
    id: pk(),
    name: str().notNull(),
    /** The plan that it was made from; null for plain months. */
    priceId: str(),
    months: int().notNull(),
    extra: int().notNull(),
    count: int().notNull(),
    endsAt: instant(),
    createdAt: instant().notNull(),
    /** Name of the member of staff or of the system. */
    createdBy: str().notNull(),
  },
  (t) => [
    index('code_batches_by_name').on(sql`lower(${t.name})`, t.id),
    index('code_batches_by_months').on(sql`(${t.months} + ${t.extra})`, t.id),
    index('code_batches_by_count').on(t.count, t.id),
  ],
)

/** What happens to subscriptions that renew: they keep what they cost, or renew at the new price. */
export type RunningChange = 'keep' | 'change'

/** New amounts of prices, with the instant from which they hold; past ones are the history. */
export const priceChanges = table(
  'price_changes',
  {
    id: pk(),
    priceId: str().notNull(),
    /** In minor units. */
    unitAmount: int().notNull(),
    /** What held before. */
    formerAmount: int().notNull(),
    startsAt: instant().notNull(),
    running: str<RunningChange>().notNull(),
    /** From when the owners of running renewals get their mails, and how many days before a rise they must have them. */
    noticeAt: instant().notNull(),
    noticeDays: int().notNull(),
    /** The last subscription whose owner has the mail. */
    noticedUpTo: int(),
    /** When no further mail had to be sent. */
    noticedAt: instant(),
    /** When the amount was written into the price. */
    appliedAt: instant(),
    cancelledAt: instant(),
    /** After a withdrawal: the last notice whose owner knows of it, and when no further mail had to be sent. */
    recalledUpTo: int(),
    recalledAt: instant(),
    createdAt: instant().notNull(),
    /** Name of the member of staff or of the system. */
    createdBy: str().notNull(),
  },
  (t) => [
    index('price_changes_by_price').on(t.priceId, t.startsAt),
    index('price_changes_by_start').on(t.startsAt, t.id),
    index('price_changes_open').on(t.startsAt).where(sql`cancelled_at is null and applied_at is null`),
    index('price_changes_to_notice').on(t.noticeAt).where(sql`cancelled_at is null and noticed_at is null`),
    index('price_changes_to_recall').on(t.cancelledAt).where(sql`cancelled_at is not null and recalled_at is null`),
  ],
)

/** That an owner knows of the new price of a subscription, and when the provider was changed to it. */
export const priceNotices = table(
  'price_notices',
  {
    id: pk(),
    changeId: int().notNull(),
    accountId: int()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** The subscription at the provider. */
    providerId: str().notNull(),
    noticedAt: instant().notNull(),
    /** Whether the owner got a mail; not for a renewal that was cancelled. */
    isMailed: bool().notNull().default(true),
    /** From when its next renewal costs the new price. */
    dueAt: instant().notNull(),
    changedAt: instant(),
  },
  (t) => [uniqueIndex('price_notices_of_change').on(t.changeId, t.providerId), index('price_notices_by_account').on(t.accountId)],
)
