import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { given } from '#db/given-rows.ts'
import { showsDevice } from '#db/links.ts'
import { preparedOn } from '#db/prepared.ts'
import { users } from '#db/schema/accounts.ts'
import { rowVersion, type Select } from '#db/schema/columns.ts'
import { subscriptions } from '#db/schema/commerce.ts'
import { devices, hiddenDevices, sct2Params, tags } from '#db/schema/devices.ts'
import { publicLinks, theftReports } from '#db/schema/sharing.ts'
import { type DeviceRow, GIVEN_VIEWERS, giveViewers, preparedByScope, type Viewer } from '#db/scope.ts'
import type { DeviceFacts } from './devices.present.ts'

/** Ids per query, within SQLite's limit of parameters per statement. */
const BATCH = 1000
/** Up to this number trackers are read one by one with a prepared statement: planning the query takes as long as running it ten times. */
const FEW = 8

export async function listHiddenDeviceIds(db: DbReader, { userId }: Viewer) {
  const rows = await statementsOn(db).hidden.execute({ userId })
  return new Set(rows.map((row) => row.id))
}

export type DeviceVersion = { id: number; version: string; isHidden: boolean }

/**
 * The trackers of each of some viewers of one kind in the order of their ids. `version` differs after each change of a row of `DeviceFacts`,
 * including one by another process. For engines with versions of rows only.
 */
export async function listDeviceVersions(db: DbReader, viewers: readonly [Viewer, ...Viewer[]]): Promise<DeviceVersion[][]> {
  const lists = viewers.map((): DeviceVersion[] => [])
  const statement = statementsOn(db).versions!(viewers[0])
  for (const row of await statement.execute(giveViewers(viewers))) lists[row.nth - 1]!.push(row)
  return lists
}

/** With the version of the rows read, if the engine has versions. */
export async function listDeviceFacts(db: DbReader, ids: number[]): Promise<(DeviceFacts & { version?: string })[]> {
  const facts: (DeviceFacts & { version?: string })[] = []
  if (ids.length <= FEW) {
    for (const id of ids) facts.push(...(await statementsOn(db).facts.execute({ id })))
    return facts
  }
  for (let first = 0; first < ids.length; first += BATCH)
    facts.push(...(await selectFacts(db).where(inArray(devices.id, ids.slice(first, first + BATCH)))))
  return facts
}

const LINK_ENDS_AT = sql<Date | null>`(select max(${publicLinks.endsAt}) from ${publicLinks} where ${showsDevice(devices.id)})`
/** At most one report per tracker is open. */
const STOLEN_AT = sql<Date | null>`(select max(${theftReports.date}) from ${theftReports} where ${theftReports.deviceId} = ${devices.id} and ${theftReports.status} = 'open')`

const selectFacts = (db: DbReader) =>
  joinFacts(
    db
      .select({
        device: devices,
        tag: { id: tags.id, name: tags.name, color: tags.color },
        pace: { frequency: sct2Params.frequency, keepalivePeriod: sct2Params.keepalivePeriod },
        subscription: {
          priceId: subscriptions.priceId,
          months: subscriptions.months,
          extra: subscriptions.extra,
          isRecurring: subscriptions.isRecurring,
        },
        linkEndsAt: LINK_ENDS_AT.mapWith(publicLinks.endsAt),
        stolenAt: STOLEN_AT.mapWith(theftReports.date),
        ...(rowVersion && { version: versionOfFacts(rowVersion) }),
      })
      .from(devices)
      .$dynamic(),
  )

/** For each row that `selectFacts` reads: the version, or the value itself if it is one of many rows. */
const versionOfFacts = (versionOf: NonNullable<typeof rowVersion>) =>
  sql<string>`concat(${sql.join([devices, tags, sct2Params, subscriptions].map(versionOf), sql`, '.', `)}, '.', ${LINK_ENDS_AT}, '.', ${STOLEN_AT})`

const joinFacts = <Query extends Select>(query: Query) =>
  query
    .leftJoin(tags, eq(tags.id, devices.tagId))
    .leftJoin(sct2Params, eq(sct2Params.deviceId, devices.id))
    .leftJoin(
      subscriptions,
      sql`${subscriptions.id} = (select max(newest.id) from ${subscriptions} as newest where newest.device_id = ${devices.id})`,
    )

const statementsOn = preparedOn((db: DbReader) => ({
  versions:
    rowVersion &&
    preparedByScope(
      db,
      (scope) =>
        joinFacts(
          db
            .select({
              nth: sql<number>`given.nth`,
              id: devices.id,
              version: versionOfFacts(rowVersion!),
              isHidden: sql<boolean>`exists (select from ${hiddenDevices} where ${hiddenDevices.userId} = given."userId" and ${hiddenDevices.deviceId} = ${devices.id})`,
            })
            .from(devices)
            .innerJoin(GIVEN_VIEWERS, scope)
            .$dynamic(),
        )
          .orderBy(devices.id)
          .prepare(),
      given,
    ),
  facts: selectFacts(db)
    .where(eq(devices.id, sql.placeholder('id')))
    .prepare(),
  hidden: db
    .select({ id: hiddenDevices.deviceId })
    .from(hiddenDevices)
    .where(eq(hiddenDevices.userId, sql.placeholder('userId')))
    .prepare(),
}))

export async function isHidden(db: DbReader, { userId }: Viewer, deviceId: number) {
  const match = and(eq(hiddenDevices.userId, userId), eq(hiddenDevices.deviceId, deviceId))
  return (await db.select().from(hiddenDevices).where(match)).length > 0
}

export async function saveVisibility(tx: Tx, { userId, deviceId }: { userId: number; deviceId: number }, isVisible: boolean) {
  if (isVisible) await tx.delete(hiddenDevices).where(and(eq(hiddenDevices.userId, userId), eq(hiddenDevices.deviceId, deviceId)))
  else await tx.insert(hiddenDevices).values({ userId, deviceId }).onConflictDoNothing()
}

export async function findPace(db: DbReader, deviceId: number) {
  const [pace] = await db.select().from(sct2Params).where(eq(sct2Params.deviceId, deviceId))
  return pace ?? null
}

export async function hasTag(db: DbReader, accountId: number, id: number) {
  return (await db.$count(tags, and(eq(tags.id, id), eq(tags.accountId, accountId)))) > 0
}

export const updateDevice = (tx: Tx, id: number, changes: Partial<DeviceRow>) => tx.update(devices).set(changes).where(eq(devices.id, id))

type SubscriptionStart = { deviceId: number; months: number; startedAt: Date; endOf: (months: number, extra: number) => Date }

/**
 * Starts the plan that was bought with the tracker, or one of `months`, even when only options were bought. Resolves to its end, or to null
 * without any months.
 */
export async function startSubscription(tx: Tx, { deviceId, months, startedAt, endOf }: SubscriptionStart) {
  const ofDevice = eq(subscriptions.deviceId, deviceId)
  const [included] = await tx.select().from(subscriptions).where(ofDevice).orderBy(desc(subscriptions.id)).limit(1)
  const plan = { months: included?.months || months, extra: included?.extra ?? 0 }
  if (plan.months === 0) return null
  const endsAt = endOf(plan.months, plan.extra)
  const values = { ...plan, startedAt, endsAt, renewsAt: included?.isRecurring ? endsAt : null }
  if (included) await tx.update(subscriptions).set(values).where(eq(subscriptions.id, included.id))
  else await tx.insert(subscriptions).values({ deviceId, isRecurring: false, options: [], ...values })
  return endsAt
}

/** Every tracker with the owner of its account, or the administrators of its team, in order of their e-mail addresses. */
export const listDeviceOwners = (db: DbReader) =>
  db
    .select({ id: devices.id, user: users })
    .from(devices)
    .innerJoin(users, and(eq(users.accountId, devices.accountId), ne(users.role, 'pro')))
    .orderBy(users.email, users.id, devices.id)
