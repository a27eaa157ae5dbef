import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, min, or, sql } from 'drizzle-orm'
import type { AlertRule } from '#contracts/alerts.ts'
import type { FiringKind } from '#contracts/firings.ts'
import type { Language } from '#contracts/lib/languages.ts'
import type { RuleKind } from '#contracts/rules/tracking/rules/rule.ts'
import type { DbReader, Tx } from '#db/db.ts'
import type { users } from '#db/schema/accounts.ts'
import { emails } from '#db/schema/messages.ts'

export type MailRow = typeof emails.$inferSelect

/** Templates that a user waits for at their screen; they are sent before all others. */
const URGENT = [
  'confirm_email',
  'password_reset',
  'password_changed',
  'change_email',
  'change_notice',
  'new_sign_in',
  'invitation',
  'staff_invitation',
]

export const isUrgent = ({ template }: Pick<MailRow, 'template'>) => URGENT.includes(template)

const urgency = sql`case when ${inArray(emails.template, URGENT)} then 0 else 1 end`

/** Accounts take turns, so that the flood of one does not delay the mails of the others. */
const turnOfAccount = sql`row_number() over (partition by coalesce(${emails.userId}, 0) order by ${emails.id})`

const isUnsent = and(isNull(emails.sentAt), isNull(emails.givenUpAt))
const isDue = (now: Date) => and(isUnsent, or(isNull(emails.nextAttemptAt), lte(emails.nextAttemptAt, now)))

/** A busy destination is an address or a domain, in lower case. */
const goesElsewhere = (destination: string) =>
  destination.includes('@') ? sql`lower(${emails.to}) <> ${destination}` : sql`lower(${emails.to}) not like ${`%@${destination}`}`

/**
 * Mails to send now, without those to busy destinations: urgent ones first, then one of each account in turn, oldest first.
 */
export const listDueMails = (db: DbReader, now: Date, { busy = [], limit }: { busy?: string[]; limit: number }) =>
  db
    .select()
    .from(emails)
    .where(and(isDue(now), ...busy.map(goesElsewhere)))
    .orderBy(urgency, turnOfAccount, asc(emails.id))
    .limit(limit)

/**
 * Whether a server claimed the mail and ended before it recorded the result. The mail server may have accepted it, so it may arrive a
 * second time.
 */
export const isInDoubt = ({ attempts, failure }: Pick<MailRow, 'attempts' | 'failure'>) => attempts > 0 && failure === null

/** Reserves due mails for one process until `until`; resolves to those that no other process claimed first. */
export const claimMails = (tx: Tx, ids: number[], { now, until }: { now: Date; until: Date }) =>
  tx
    .update(emails)
    .set({ attempts: sql`${emails.attempts} + 1`, nextAttemptAt: until, failure: null })
    .where(and(inArray(emails.id, ids), isDue(now)))
    .returning()

/** When the oldest mail was queued that is neither sent nor given up. */
export async function findOldestUnsentMail(db: DbReader) {
  const [row] = await db
    .select({ at: min(emails.createdAt) })
    .from(emails)
    .where(isUnsent)
  return row?.at ?? null
}

const isGivenUp = and(isNull(emails.sentAt), isNotNull(emails.givenUpAt))

export const countGivenUpMails = (db: DbReader) => db.$count(emails, isGivenUp)

/** Oldest first. */
export const listGivenUpMails = (db: DbReader, id?: number) =>
  db
    .select()
    .from(emails)
    .where(and(isGivenUp, id === undefined ? undefined : eq(emails.id, id)))
    .orderBy(asc(emails.id))

/** A subscription whose price changes at an instant, with amounts in minor units. */
export type PriceChangeItem = { tracker: string; at: string; former: number; amount: number }

/** A subscription that goes on renewing at an amount in minor units; `at`: when that would have changed. */
export type PriceStaysItem = { tracker: string; at: string; amount: number }

/** Makes given-up mails due, as if they had never been tried. */
export const queueMailsAgain = (tx: Tx, ids: number[]) =>
  tx
    .update(emails)
    .set({ attempts: 0, nextAttemptAt: null, givenUpAt: null })
    .where(and(inArray(emails.id, ids), isGivenUp))

/** Gives up all unsent mails: only the operator can have them sent. Returns how many. */
export async function holdUnsentMails(tx: Tx, now: Date) {
  const failure = { reason: 'RESTORED', host: '', message: 'It waited in the backup that was restored, so it may have been sent.' }
  const held = await tx
    .update(emails)
    .set({ ...givenUpColumns(now), failure })
    .where(isUnsent)
    .returning({ id: emails.id })
  return held.length
}

/** Deletes given-up mails. */
export const discardMails = (tx: Tx, ids: number[]) => tx.delete(emails).where(and(inArray(emails.id, ids), isGivenUp))

/** The most attempts per mail. */
export const MAX_ATTEMPTS = 12

/** Column values of a given-up mail, which only the operator can send again. Servers of the last release use the number of attempts. */
export const givenUpColumns = (now: Date) => ({ sentAt: null, attempts: MAX_ATTEMPTS, givenUpAt: now })

type MailChange = Partial<Pick<MailRow, 'sentAt' | 'nextAttemptAt' | 'givenUpAt' | 'failure' | 'attempts' | 'data'>>

type Claim = Pick<MailRow, 'id' | 'attempts'>
/** The condition that no other process attempted the mail since it was read. */
const isUnchanged = ({ id, attempts }: Claim) => and(eq(emails.id, id), eq(emails.attempts, attempts))

/** Changes a mail unless it was attempted again since it was read. Returns it, or undefined. */
export async function updateMail(tx: Tx, claim: Claim, change: MailChange) {
  const [changed] = await tx.update(emails).set(change).where(isUnchanged(claim)).returning()
  return changed
}

/** Records in one statement that mails were sent, except those attempted again since they were read. */
export async function recordSentMails(tx: Tx, claims: Claim[], sentAt: Date) {
  if (claims.length === 0) return
  await tx
    .update(emails)
    .set({ sentAt, failure: null })
    .where(or(...claims.map(isUnchanged)))
}

export const deleteMail = (tx: Tx, id: number) => tx.delete(emails).where(eq(emails.id, id))

type Filter = { to?: string | undefined; template?: string | undefined }

/** Newest first; the address must match exactly. */
export const listMails = (db: DbReader, { to, template }: Filter, limit: number) =>
  db
    .select()
    .from(emails)
    .where(and(to === undefined ? undefined : eq(emails.to, to), template === undefined ? undefined : eq(emails.template, template)))
    .orderBy(desc(emails.id))
    .limit(limit)

export const countAlertMails = (db: DbReader, userId: number, since: Date) =>
  db.$count(
    emails,
    and(eq(emails.userId, userId), inArray(emails.template, ['place_alert', 'vehicle_alert', 'rule_alert']), gt(emails.createdAt, since)),
  )

/** Whether a mail of a template was queued for a user after an instant. */
export const hasMailSince = async (db: DbReader, userId: number, template: MailTemplate, since: Date) =>
  (await db.$count(emails, and(eq(emails.userId, userId), eq(emails.template, template), gt(emails.createdAt, since)))) > 0

export const countMails = (db: DbReader) => db.$count(emails)

export async function findMail(db: DbReader, id: number) {
  const [mail] = await db.select().from(emails).where(eq(emails.id, id))
  return mail
}

/**
 * An alert: the point where it fired, for the map; `device` in the mail to the owner, and the owner's first name in mails to others;
 * `account` for the link to unsubscribe.
 */
type AlertSpot = { account?: string; lat?: string; lng?: string; precision?: string; kind?: string; owner?: string; device?: string }

/** A tracker whose subscription ends or renews soon, or that begins to rest; `amount` in minor units is set for renewals only. */
export type ReminderItem = {
  tracker: string
  device: number
  at: string
  isRenewed: boolean
  isResting?: boolean
  amount?: string
  currency?: string
}

/** An alert held back until the end of quiet hours. */
export type HeldItem = { kind: FiringKind; at: string; tracker: string; place?: string; rule?: AlertRule } & OfPair<number>
type OfPair<Distance> = { other?: string; distance?: Distance }

/** The data of each template. Everything is text; instants are ISO 8601, `device` is an id. */
export type MailData = {
  confirm_email: { key: string }
  password_reset: { key: string }
  password_changed: { datetime: string }
  /** Sent to the new address. */
  change_email: { key: string; by?: 'support' }
  /** Sent to the old address; `key` reverts the change. */
  change_notice: { datetime: string; key?: string; by?: 'support' }
  /** A sign-in from a browser that is new to the account. */
  new_sign_in: { datetime: string; agent: string; place: string }
  invitation: { key: string; inviter: string }
  staff_invitation: { key: string; inviter: string }
  /** `datetime`: the end of the download period. */
  data_ready: { datetime: string }
  place_alert: { type: 'place_enter' | 'place_leave'; tracker: string; place: string; address?: string; datetime: string } & AlertSpot
  vehicle_alert: { tracker: string; address?: string; datetime: string } & AlertSpot
  /** `rule`: the rule in JSON. The position is the last one known. `other`, `distance`: the other tracker of a rule about two, and metres. */
  rule_alert: { type: RuleKind; rule: string; tracker: string; place?: string; address?: string; datetime: string } & AlertSpot &
    OfPair<string>
  /** Sent to an unsubscribed contact; `since` is when (ms), because the link is for this opt-out. */
  allow_alerts: { owner: string; account: string; since: string }
  /** Sent to a new contact, who has to agree before the first alert. */
  ask_alerts: { owner: string; account: string; since: string }
  low_battery: { tracker: string; datetime: string } & Pick<AlertSpot, 'account' | 'device' | 'owner'>
  /** `items`: JSON of `HeldItem[]`; `count` is their full number. */
  held_alerts: { items: string; count: string; account: string; owner?: string }
  /** `datetime`: its last instant; `rests`: the end of the days of grace. */
  subscription_ended: { tracker: string; device: string; datetime: string; rests?: string }
  /** `amount` in minor units. */
  payment_failed: { amount: string; currency: string; datetime: string }
  /** `invoice` is the id of the attached invoice; `device` is set when the payment was for one tracker. */
  receipt: { invoice: string; number: string; amount: string; currency: string; tracker: string; device?: string; datetime: string }
  /** `credit_note` is the id of the attached credit note; `ended`: the service that it paid for has ended; `dispute`: the bank paid it back. */
  refunded: {
    credit_note: string
    number: string
    invoice_number: string
    amount: string
    currency: string
    datetime: string
    ended?: string
    dispute?: string
  }
  /** What was declared, as it was given, and what follows: see `withdrawals.outcome`. */
  withdrawal: { reference: string; email: string; name?: string; outcome: string; datetime: string }
  /** `contents`: the labels of its lines. */
  order_shipped: { order: string; contents: string; carrier: string; tracking?: string; datetime: string }
  /** A claim of a care plan was opened. */
  care_claim: { tracker: string; device: string; datetime: string }
  /** `items`: JSON of `ReminderItem[]`. */
  subscription_reminder: { items: string }
  network_lost: { tracker: string; device: string; datetime: string }
  tracker_removed: { tracker: string; identifier: string }
  unlink_accepted: { reference: string; identifier: string }
  /** `reason`: the words of the member of staff. */
  unlink_refused: { reference: string; identifier: string; reason: string }
  /** `items` is a list of `PriceChangeItem` in JSON. */
  price_change: { price: string; currency: string; datetime: string; items: string }
  /** A new price was withdrawn: `amount` and `datetime` are what was announced, `items` is a list of `PriceStaysItem` in JSON. */
  price_stays: { price: string; currency: string; amount: string; datetime: string; items: string }
  /** Support has extended a subscription; `datetime`: its new end. */
  months_given: { tracker: string; device: string; months: string; datetime: string }
  /** `device`: the tracker that has the plan now; `datetime`: its end, absent without one. */
  plan_moved: { from: string; to: string; device: string; datetime?: string }
  /** `reason`: the words of the member of staff. */
  plan_move_refused: { reference: string; from: string; to: string; reason: string }
  /** `tracker`: one or several names; `datetime`: the new end of the plan. */
  plan_paused: { tracker: string; device: string; until?: string; datetime?: string }
  plan_resumed: { tracker: string; device: string; datetime?: string }
  plan_pause_refused: { reference: string; tracker: string; reason: string }
  /** Alerts no longer go to the channel with this label; `reason`: one of `STOP_REASONS`. */
  channel_stopped: { label: string; reason: string }
  /** The most alerts that an account's channels get in a day; more were not sent. */
  channel_limit: { limit: string }
  /** `text`: a message of the company. */
  announcement: { text: string }
  /** Months of the subscription that the code links, and the additional free months. */
  subscription_code: { code: string; months: string; extra?: string }
}

export type MailTemplate = keyof MailData

type Mail<T extends MailTemplate> = {
  to: string
  template: T
  language: Language
  /** IANA name of the time zone that times are shown in; UTC when unknown. */
  timeZone?: string | null
  /** The user whom the mail is about; it is deleted with them. */
  userId?: number | null
  data: MailData[T]
  now: Date
}

/** Language, time zone and user of mails about an account. */
export const recipientColumns = ({ id, language, timeZone }: Pick<typeof users.$inferSelect, 'id' | 'language' | 'timeZone'>) => ({
  userId: id,
  language,
  timeZone,
})

/** Inserts a mail into the outbox, in the transaction of the change that causes it; returns its id. It is rendered when it is sent or shown. */
export async function queueMail<T extends MailTemplate>(tx: Tx, { now, ...mail }: Mail<T>) {
  const [queued] = await tx
    .insert(emails)
    .values({ ...mail, createdAt: now })
    .returning({ id: emails.id })
  return queued!.id
}
