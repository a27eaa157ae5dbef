import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, not, or, sql } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { given, givenRows, isAnyOf } from '#db/given-rows.ts'
import { preparedOn } from '#db/prepared.ts'
import { users } from '#db/schema/accounts.ts'
import { hasOneWriter } from '#db/schema/columns.ts'
import { devices } from '#db/schema/devices.ts'
import { alertContacts, alertDevices, alerts, batteryContacts, contacts, mailStops, places } from '#db/schema/places.ts'
import { seesTrackers } from '#db/scope.ts'

/** The contacts that get a tracker's low battery alert in addition to its owner; `stoppedAt` is set for those who unsubscribed. */
export const listBatteryContacts = (db: DbReader, deviceId: number) =>
  db
    .select({ id: contacts.id, email: contacts.email, stoppedAt: mailStops.stoppedAt, isAsked: mailStops.isAsked })
    .from(batteryContacts)
    .innerJoin(contacts, eq(contacts.id, batteryContacts.contactId))
    .leftJoin(mailStops, and(eq(mailStops.accountId, contacts.accountId), eq(mailStops.email, contacts.email)))
    .where(eq(batteryContacts.deviceId, deviceId))
    .orderBy(asc(contacts.id))

export async function saveBatteryAlert(tx: Tx, deviceId: number, { threshold, contacts: ids }: { threshold: number; contacts: number[] }) {
  await tx.update(devices).set({ lowBattery: threshold }).where(eq(devices.id, deviceId))
  await tx.delete(batteryContacts).where(eq(batteryContacts.deviceId, deviceId))
  if (ids.length > 0) await tx.insert(batteryContacts).values(ids.map((contactId) => ({ deviceId, contactId })))
}

/** What an alert watches for one tracker: the border of a place, its vehicle, or what a rule says. */
export type WatchRow = Awaited<ReturnType<typeof listWatchRows>>[number]

/** Lists the enabled alerts of trackers, with their state. Prepared, because every uplink needs it. */
export async function listWatchRows(db: DbReader, deviceIds: readonly number[]) {
  if (!hasOneWriter) return watchStatement(db).execute({ deviceIds })
  const rows: Awaited<ReturnType<ReturnType<typeof watchStatement>['execute']>> = []
  for (const deviceId of deviceIds) rows.push(...(await watchStatement(db).execute({ deviceId })))
  return rows
}

const watchStatement = preparedOn((db: DbReader) =>
  db
    .select({
      deviceId: alertDevices.deviceId,
      alertId: alerts.id,
      trigger: alerts.trigger,
      isVehicleAlert: alerts.isVehicleAlert,
      rule: alerts.rule,
      schedule: alerts.schedule,
      pause: alerts.pause,
      crossing: alertDevices.crossing,
      state: alertDevices.state,
      dueAt: alertDevices.dueAt,
      firedAt: alertDevices.firedAt,
      place: {
        ...{ id: places.id, name: places.name, lat: places.lat, lng: places.lng, radius: places.radius },
        /** As text, of which most is known: see `readShape`. */
        shape: sql<string | null>`cast(${places.shape} as text)`,
      },
    })
    .from(alertDevices)
    .innerJoin(alerts, eq(alerts.id, alertDevices.alertId))
    .leftJoin(places, eq(places.id, alerts.placeId))
    .where(
      and(
        hasOneWriter ? eq(alertDevices.deviceId, sql.placeholder('deviceId')) : isAnyOf(alertDevices.deviceId, 'deviceIds'),
        isNull(alerts.offSince),
        or(alerts.isVehicleAlert, isNotNull(alerts.rule), sql`${places.id} is not null`),
      ),
    )
    .orderBy(asc(alerts.id))
    .prepare(),
)

/** The rows of rules about two trackers, for both of them, that with the lower id first. */
export const listPairRows = (db: DbReader, alertIds: readonly number[]) =>
  db
    .select({
      alertId: alertDevices.alertId,
      deviceId: alertDevices.deviceId,
      state: alertDevices.state,
      dueAt: alertDevices.dueAt,
      firedAt: alertDevices.firedAt,
    })
    .from(alertDevices)
    .where(inArray(alertDevices.alertId, [...alertIds]))
    .orderBy(asc(alertDevices.alertId), asc(alertDevices.deviceId))
export type PairRow = Awaited<ReturnType<typeof listPairRows>>[number]

/** What is saved of an alert for a tracker; only alerts with a rule have a state and a time at which they fall due (ms). */
export type WatchState = {
  alertId: number
  deviceId: number
  rule: unknown
  crossing: unknown
  state: unknown
  dueAt: number | null
  firedAt?: Date | undefined
}

/** Saves states of alerts, each once. */
export async function saveWatchStates(tx: Tx, states: readonly WatchState[]) {
  if (hasOneWriter) for (const state of states) await saveWatchState(tx, state)
  else if (states.length > 0)
    await watchStatesOn(tx).execute({
      rows: JSON.stringify(
        states.map(({ alertId, deviceId, rule, crossing, state, dueAt, firedAt }) => ({
          ...{ alertId, deviceId, crossing, firedAt: firedAt?.getTime() },
          ...(rule !== null && { state, dueAt }),
        })),
      ),
    })
}

const saveWatchState = (tx: Tx, { alertId, deviceId, rule, crossing, state, dueAt, firedAt }: WatchState) =>
  tx
    .update(alertDevices)
    .set({ crossing, ...(rule !== null && { state, dueAt: dueAt === null ? null : new Date(dueAt) }), ...(firedAt && { firedAt }) })
    .where(and(eq(alertDevices.alertId, alertId), eq(alertDevices.deviceId, deviceId)))

const watchStatesOn = preparedOn((tx: Tx) =>
  tx
    .update(alertDevices)

    .set({
      crossing: given('crossing'),
      state: given('state'),
      dueAt: given('dueAt'),
      firedAt: sql`coalesce(${given('firedAt')}, ${alertDevices.firedAt})`,
    })
    .from(givenRows(alertDevices, ['alertId', 'deviceId', 'crossing', 'state', 'dueAt', 'firedAt']))
    .where(and(eq(alertDevices.alertId, given('alertId')), eq(alertDevices.deviceId, given('deviceId'))))
    .prepare(),
)
const dueStatements = preparedOn((db: DbReader) => ({
  next: db
    .select({ at: sql<number | null>`min(${alertDevices.dueAt})` })
    .from(alertDevices)
    .where(gt(alertDevices.dueAt, sql`${sql.placeholder('after')}`))
    .prepare(),
  due: db
    .select({ id: devices.id, accountId: devices.accountId })
    .from(alertDevices)
    .innerJoin(devices, eq(devices.id, alertDevices.deviceId))
    .where(lte(alertDevices.dueAt, sql`${sql.placeholder('by')}`))
    .groupBy(devices.id, devices.accountId)
    .orderBy(sql`min(${alertDevices.dueAt})`, asc(devices.id))
    .prepare(),
}))

/** The first instant after `after` at which a rule of any alert has to be looked at. */
export async function findNextDueRule(db: DbReader, after: Date) {
  const [row] = await dueStatements(db).next.execute({ after: after.getTime() })
  return row?.at ? new Date(Number(row.at)) : null
}

/** The trackers with rules that have to be looked at by then, the longest due first. */
export const listDueTrackers = (db: DbReader, by: Date) => dueStatements(db).due.execute({ by: by.getTime() })

/** Forgets the due times of alerts that are off, of which nothing falls due. */
export const clearDue = (tx: Tx, match: { deviceId: number; by: Date }) =>
  tx
    .update(alertDevices)
    .set({ dueAt: null })
    .where(and(eq(alertDevices.deviceId, match.deviceId), lte(alertDevices.dueAt, match.by)))

/** The contacts of alerts, each address once; `stoppedAt` is set for those who unsubscribed. */
export const listAlertContacts = (db: DbReader, alertIds: readonly number[]) =>
  db
    .selectDistinct({ email: contacts.email, stoppedAt: mailStops.stoppedAt, isAsked: mailStops.isAsked })
    .from(contacts)
    .innerJoin(alertContacts, eq(alertContacts.contactId, contacts.id))
    .leftJoin(mailStops, and(eq(mailStops.accountId, contacts.accountId), eq(mailStops.email, contacts.email)))
    .where(inArray(alertContacts.alertId, alertIds))
    .orderBy(asc(contacts.email))

/** The addresses of users of an account who do not see both trackers of a pair. */
export async function listAddressesWithoutSight(db: DbReader, accountId: number, ids: readonly number[]) {
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.accountId, accountId), not(seesTrackers(db, ids)!)))
  return new Set(rows.map(({ email }) => email))
}
