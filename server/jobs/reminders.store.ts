import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { DAY_MS, HOUR_MS } from '#contracts/rules/time.ts'
import type { DbReader } from '#db/db.ts'
import { preparedOn } from '#db/prepared.ts'
import { paymentEffects, subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'

/** The hour of the day in UTC at which all reminders of an account are sent in one mail. */
const SENT_AT_MS = 8 * HOUR_MS
/** A reminder that could not be sent within a day is skipped: the next one follows. */
const LATEST_MS = DAY_MS

/** The newest subscription of a tracker is the valid one. */
const isNewest = sql`${subscriptions.id} = (select max(n.id) from ${subscriptions} n where n.device_id = ${devices.id})`

type Rule = { days: number; isRenewed: boolean; isResting?: true }
/** The beginning of the rest comes after the end of the subscription, by the days of grace. */
const REST: Rule = { days: 0, isRenewed: false, isResting: true }
const RULES: Rule[] = [
  { days: 30, isRenewed: false },
  { days: 7, isRenewed: false },
  { days: 1, isRenewed: false },
  { days: 7, isRenewed: true },
  REST,
]

/** The instant that a reminder is about. `grace` in ms. */
const endOf = ({ isRenewed, isResting }: Rule, grace: Grace) =>
  isResting
    ? sql<
        number | null
      >`(case when ${devices.subState} = 'ended' then coalesce(${devices.subEndDate}, ${devices.graceFrom}, ${devices.createdAt})
        else coalesce(${devices.graceFrom}, ${devices.createdAt}) end + ${grace})`
    : sql<number | null>`${isRenewed ? subscriptions.renewsAt : devices.subEndDate}`

/** Days of grace in ms, or its place in a prepared statement. */
type Grace = number | SQL
const ANY_GRACE = sql`${sql.placeholder('grace')}`
/** Without days of grace no tracker rests. */
const rulesOf = (graceDays: number | null) => RULES.filter(({ isResting }) => graceDays !== null || !isResting)
const toMs = (graceDays: number | null) => (graceDays ?? 0) * DAY_MS

/** While a renewal is being charged, the tracker neither ends nor renews soon. */
const isOfKind = ({ isRenewed }: Rule) =>
  isRenewed
    ? and(eq(subscriptions.isRecurring, true), isNull(subscriptions.heldUntil), isNotNull(subscriptions.renewsAt))
    : or(isNull(subscriptions.id), eq(subscriptions.isRecurring, false))

/** When the reminder is sent: in the morning of the day that is `days` before the end. */
const dueAt = (rule: Rule, grace: Grace) =>
  sql<number>`(${endOf(rule, grace)} - ${endOf(rule, grace)} % ${DAY_MS} - ${rule.days * DAY_MS - SENT_AT_MS})`

/** A subscription that has only just begun needs no reminder yet: as many days must have passed as are left. */
const isAwaited = (rule: Rule, grace: Grace) =>
  rule.isResting
    ? and(ne(devices.subState, 'active'), eq(devices.isLinkedToPro, false), or(ne(devices.subState, 'none'), ne(devices.type, 'triby')))
    : and(
        eq(devices.subState, 'active'),
        eq(devices.isLinkedToPro, false),
        isNotNull(devices.subEndDate),
        isOfKind(rule),
        gt(dueAt(rule, grace), sql`coalesce(${subscriptions.startedAt}, 0) + ${rule.days * DAY_MS}`),
      )

/** Prepared, because in a world of the mock server they run at each move of its clock. */
const nextOn = preparedOn(
  (db: DbReader) =>
    new Map(
      RULES.map((rule) => [
        rule,
        db
          .select({ at: sql<number | null>`min(${dueAt(rule, ANY_GRACE)})` })
          .from(devices)
          .leftJoin(subscriptions, isNewest)
          .where(and(isAwaited(rule, ANY_GRACE), gt(dueAt(rule, ANY_GRACE), sql`${sql.placeholder('after')}`)))
          .prepare(),
      ]),
    ),
)

export async function nextReminder(db: DbReader, after: Date, graceDays: number | null) {
  const instants = []
  for (const rule of rulesOf(graceDays)) {
    const [row] = await nextOn(db)
      .get(rule)!
      .execute({ after: after.getTime(), grace: toMs(graceDays) })
    if (row?.at) instants.push(row.at)
  }
  return instants.length > 0 ? new Date(Math.min(...instants)) : null
}

type Span = { from: number | SQL; to: number | SQL; grace: Grace }

const selectDue = (db: DbReader, rule: Rule, { from, to, grace }: Span, accountId?: number) =>
  db
    .select({ device: devices.id, tracker: devices.name, accountId: devices.accountId, at: endOf(rule, grace) })
    .from(devices)
    .leftJoin(subscriptions, isNewest)
    .where(
      and(
        accountId === undefined ? undefined : eq(devices.accountId, accountId),
        isAwaited(rule, grace),
        lte(dueAt(rule, grace), to),
        gt(dueAt(rule, grace), from),
      ),
    )
    .orderBy(asc(endOf(rule, grace)), asc(devices.id))

const dueOn = preparedOn((db: DbReader) => {
  const span = { from: sql`${sql.placeholder('from')}`, to: sql`${sql.placeholder('to')}`, grace: ANY_GRACE }
  return new Map(RULES.map((rule) => [rule, selectDue(db, rule, span).prepare()]))
})

/** Due reminders that have not been sent, of all accounts or of one; soonest end first. */
export async function listReminders(db: DbReader, now: Date, graceDays: number | null, accountId?: number) {
  const due = []
  const span = { from: now.getTime() - LATEST_MS, to: now.getTime(), grace: toMs(graceDays) }
  for (const rule of rulesOf(graceDays)) {
    const rows = accountId === undefined ? await dueOn(db).get(rule)!.execute(span) : await selectDue(db, rule, span, accountId)
    for (const { at, accountId: account, ...row } of rows) {
      if (at === null || account === null) continue
      const { isRenewed, days, isResting } = rule
      const effect = `reminder ${row.device} ${isResting ? 'rests' : isRenewed ? 'renews' : 'ends'} ${at} ${days}`
      due.push({ ...row, accountId: account, at: new Date(at), dueAt: new Date(sendingTime(at, days)), isRenewed, isResting, effect })
    }
  }
  const sent = await listEffects(
    db,
    due.map(({ effect }) => effect),
  )
  return due.filter(({ effect }) => !sent.has(effect)).toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

/** Like `dueAt`, but for an end in ms. */
const sendingTime = (end: number, days: number) => end - (end % DAY_MS) - days * DAY_MS + SENT_AT_MS

/** Since when the oldest unsent reminder has been due. */
export async function findOldestReminder(db: DbReader, now: Date, graceDays: number | null) {
  const instants = (await listReminders(db, now, graceDays)).map(({ dueAt }) => dueAt.getTime())
  return instants.length > 0 ? new Date(Math.min(...instants)) : null
}

async function listEffects(db: DbReader, keys: string[]) {
  if (keys.length === 0) return new Set<string>()
  const rows = await db.select({ key: paymentEffects.key }).from(paymentEffects).where(inArray(paymentEffects.key, keys))
  return new Set(rows.map(({ key }) => key))
}
