import { and, asc, eq, inArray, isNull, lte, min, ne, notExists, or } from 'drizzle-orm'
import { FIRING_DAYS } from '#contracts/firings.ts'
import { IMPORTS } from '#contracts/limits/upload-limits.ts'
import { REFUSED_DAYS } from '#contracts/positions.ts'
import { DAY_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import type { DbReader, LockKey, Tx } from '#db/db.ts'
import { preparedOn } from '#db/prepared.ts'
import { accounts, dataCopies, emailKeys, knownBrowsers, throttles, tokens, users } from '#db/schema/accounts.ts'
import { orders } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { channelDeliveries, emails, pushResults } from '#db/schema/messages.ts'
import { uplinks } from '#db/schema/networks.ts'
import { alertFirings, alertSilences, heldAlerts } from '#db/schema/places.ts'
import { imports, refusedFixes } from '#db/schema/positions.ts'
import { apiTokens, securityLog } from '#db/schema/security.ts'
import { serialChecks, unlinkRequests } from '#db/schema/sharing.ts'
import { SESSION_IDLE_DAYS } from '#db/sessions.ts'
import { settleNotices } from '#server/alerts/notices/resolve-notices.ts'
import { KNOWN_BROWSER_DAYS } from '#server/security/known-browsers.ts'

/** Days for which uplinks of networks are stored unparsed. */
export const UPLINK_DAYS = 30
const SECURITY_LOG_DAYS = 365
/** An account whose address is not confirmed within this many days is deleted, unless it has a tracker or an order. */
const UNCONFIRMED_DAYS = 30
/** Expired e-mail keys are deleted after this time; until then a request with one is rejected as expired. */
const ENDED_KEY_DAYS = 30
/** Sent and given-up mails are deleted after this time. */
const SENT_MAIL_DAYS = 90
/** The final states of notices of alerts move into their firings in time before the mails are deleted. */
const OPEN_NOTICE_DAYS = SENT_MAIL_DAYS - 5

/** A kind of row that is deleted, or shortened, `keptMs` after one of its instants. */
export type Expiry = {
  name: string
  keptMs: number
  /** The earliest instant of a row to delete. */
  oldest(db: DbReader): Promise<Date | null>
  /** Deletes the rows whose instant is not later than `until`. */
  removeUntil(tx: Tx, until: Date): Promise<unknown>
  /** For a deletion that needs more than one statement with its condition. */
  findLock?(db: DbReader, until: Date): Promise<LockKey[]>
}

/** A used confirmation key stays, so that its link can say that the address is already confirmed. */
const isDeletable = or(ne(emailKeys.kind, 'confirm'), isNull(emailKeys.usedAt))

/** Registered with an address that was never confirmed, and unused: no tracker, no order, unknown to the card provider. */
const isAbandoned = (db: DbReader) =>
  and(
    eq(users.role, 'user'),
    eq(users.emailConfirmed, false),
    notExists(db.select({ id: devices.id }).from(devices).where(eq(devices.accountId, users.accountId))),
    notExists(db.select({ id: orders.reference }).from(orders).where(eq(orders.accountId, users.accountId))),
    inArray(users.accountId, db.select({ id: accounts.id }).from(accounts).where(isNull(accounts.stripeCustomer))),
  )

/** The number is limited, since each takes a lock. */
const listAbandoned = (db: DbReader, until: Date) =>
  db
    .select({ id: users.id, accountId: users.accountId })
    .from(users)
    .where(and(isAbandoned(db), lte(users.createdAt, until)))
    .orderBy(asc(users.id))
    .limit(500)

const isPreview = eq(imports.state, 'preview')

type OldestQuery = { prepare(): { execute(): PromiseLike<{ at: Date | null }[]> } }

/** Prepared, because all of them run every full hour, and in a world of the mock server at each move of its clock. */
function oldestOf(query: (db: DbReader) => OldestQuery): Expiry['oldest'] {
  const statementOn = preparedOn((db: DbReader) => query(db).prepare())
  return async (db) => (await statementOn(db).execute())[0]?.at ?? null
}

export const EXPIRIES: Expiry[] = [
  {
    name: 'sessions',
    keptMs: 0,
    oldest: oldestOf((db) => db.select({ at: min(tokens.expiresAt) }).from(tokens)),
    removeUntil: (tx, until) => tx.delete(tokens).where(lte(tokens.expiresAt, until)),
  },
  {
    name: 'api_tokens',
    keptMs: 0,
    oldest: oldestOf((db) => db.select({ at: min(apiTokens.expiresAt) }).from(apiTokens)),
    removeUntil: (tx, until) => tx.delete(apiTokens).where(lte(apiTokens.expiresAt, until)),
  },
  {
    name: 'idle_sessions',
    keptMs: SESSION_IDLE_DAYS * DAY_MS,
    oldest: oldestOf((db) => db.select({ at: min(tokens.lastSeenAt) }).from(tokens)),
    removeUntil: (tx, until) => tx.delete(tokens).where(lte(tokens.lastSeenAt, until)),
  },
  {
    name: 'known_browsers',
    keptMs: KNOWN_BROWSER_DAYS * DAY_MS,
    oldest: oldestOf((db) => db.select({ at: min(knownBrowsers.lastSeenAt) }).from(knownBrowsers)),
    removeUntil: (tx, until) => tx.delete(knownBrowsers).where(lte(knownBrowsers.lastSeenAt, until)),
  },
  {
    name: 'security_log',
    keptMs: SECURITY_LOG_DAYS * DAY_MS,
    oldest: oldestOf((db) => db.select({ at: min(securityLog.at) }).from(securityLog)),
    removeUntil: (tx, until) => tx.delete(securityLog).where(lte(securityLog.at, until)),
  },
  {
    name: 'unconfirmed_accounts',
    keptMs: UNCONFIRMED_DAYS * DAY_MS,
    oldest: oldestOf((db) =>
      db
        .select({ at: min(users.createdAt) })
        .from(users)
        .where(isAbandoned(db)),
    ),
    async removeUntil(tx, until) {
      const abandoned = await listAbandoned(tx, until)
      const [people, owned] = [abandoned.map(({ id }) => id), abandoned.map(({ accountId }) => accountId)]
      await tx.delete(unlinkRequests).where(inArray(unlinkRequests.userId, people))
      await tx.delete(accounts).where(inArray(accounts.id, owned))
    },
    findLock: async (db, until) => (await listAbandoned(db, until)).map(({ accountId }) => `account:${accountId}` as const),
  },
  {
    name: 'tries',
    keptMs: 0,
    oldest: oldestOf((db) => db.select({ at: min(throttles.resetsAt) }).from(throttles)),
    removeUntil: (tx, until) => tx.delete(throttles).where(lte(throttles.resetsAt, until)),
  },
  {
    name: 'serial_proofs',
    keptMs: 0,
    oldest: oldestOf((db) => db.select({ at: min(serialChecks.proofExpiresAt) }).from(serialChecks)),
    removeUntil: (tx, until) =>
      tx
        .update(serialChecks)
        .set({ proofHash: null, proofExpiresAt: null, proofUserId: null })
        .where(lte(serialChecks.proofExpiresAt, until)),
  },
  {
    name: 'mail_keys',
    keptMs: ENDED_KEY_DAYS * DAY_MS,
    oldest: oldestOf((db) =>
      db
        .select({ at: min(emailKeys.expiresAt) })
        .from(emailKeys)
        .where(isDeletable),
    ),
    removeUntil: (tx, until) => tx.delete(emailKeys).where(and(isDeletable, lte(emailKeys.expiresAt, until))),
  },
  {
    name: 'alert_notices',
    keptMs: OPEN_NOTICE_DAYS * DAY_MS,
    oldest: oldestOf((db) =>
      db
        .select({ at: min(alertFirings.publishedAt) })
        .from(alertFirings)
        .where(eq(alertFirings.isOpen, true)),
    ),
    removeUntil: settleNotices,
  },
  {
    name: 'sent_mails',
    keptMs: SENT_MAIL_DAYS * DAY_MS,
    oldest: oldestOf((db) => db.select({ at: min(emails.sentAt) }).from(emails)),
    removeUntil: (tx, until) => tx.delete(emails).where(lte(emails.sentAt, until)),
  },
  {
    name: 'given_up_mails',
    keptMs: SENT_MAIL_DAYS * DAY_MS,
    oldest: oldestOf((db) => db.select({ at: min(emails.givenUpAt) }).from(emails)),
    removeUntil: (tx, until) => tx.delete(emails).where(lte(emails.givenUpAt, until)),
  },
  {
    name: 'channel_deliveries',
    keptMs: SENT_MAIL_DAYS * DAY_MS,
    oldest: oldestOf((db) => db.select({ at: min(channelDeliveries.endedAt) }).from(channelDeliveries)),
    removeUntil: (tx, until) => tx.delete(channelDeliveries).where(lte(channelDeliveries.endedAt, until)),
  },
  {
    name: 'push_results',
    keptMs: SENT_MAIL_DAYS * DAY_MS,
    oldest: oldestOf((db) => db.select({ at: min(pushResults.at) }).from(pushResults)),
    removeUntil: (tx, until) => tx.delete(pushResults).where(lte(pushResults.at, until)),
  },
  {
    name: 'held_alerts',
    keptMs: SENT_MAIL_DAYS * DAY_MS,
    oldest: oldestOf((db) => db.select({ at: min(heldAlerts.endedAt) }).from(heldAlerts)),
    removeUntil: (tx, until) => tx.delete(heldAlerts).where(lte(heldAlerts.endedAt, until)),
  },
  {
    name: 'alert_firings',
    keptMs: FIRING_DAYS * DAY_MS,
    oldest: oldestOf((db) => db.select({ at: min(alertFirings.at) }).from(alertFirings)),
    removeUntil: (tx, until) => tx.delete(alertFirings).where(lte(alertFirings.at, until)),
  },
  {
    name: 'alert_silences',
    keptMs: 0,
    oldest: oldestOf((db) => db.select({ at: min(alertSilences.until) }).from(alertSilences)),
    removeUntil: (tx, until) => tx.delete(alertSilences).where(lte(alertSilences.until, until)),
  },
  {
    name: 'data_copies',
    keptMs: 0,
    oldest: oldestOf((db) => db.select({ at: min(dataCopies.endsAt) }).from(dataCopies)),
    removeUntil: (tx, until) => tx.delete(dataCopies).where(lte(dataCopies.endsAt, until)),
  },
  {
    name: 'uplinks',
    keptMs: UPLINK_DAYS * DAY_MS,
    oldest: oldestOf((db) => db.select({ at: min(uplinks.receivedAt) }).from(uplinks)),
    removeUntil: (tx, until) => tx.delete(uplinks).where(lte(uplinks.receivedAt, until)),
  },
  {
    name: 'refused_fixes',
    keptMs: REFUSED_DAYS * DAY_MS,
    oldest: oldestOf((db) => db.select({ at: min(refusedFixes.lastAt) }).from(refusedFixes)),
    removeUntil: (tx, until) => tx.delete(refusedFixes).where(lte(refusedFixes.lastAt, until)),
  },
  {
    name: 'import_previews',
    keptMs: IMPORTS.previewMinutes * MINUTE_MS,
    oldest: oldestOf((db) =>
      db
        .select({ at: min(imports.createdAt) })
        .from(imports)
        .where(isPreview),
    ),
    removeUntil: (tx, until) => tx.delete(imports).where(and(isPreview, lte(imports.createdAt, until))),
  },
]
