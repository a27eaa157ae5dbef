import { and, asc, eq, exists, inArray, isNotNull, isNull, ne, notExists, notInArray, type SQL, sql } from 'drizzle-orm'
import { hasDeadline, isPairRule } from '#contracts/rules/tracking/rules/rule.ts'
import { isGuarding } from '#db/alerts.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { fromFixed7 } from '#db/positions.ts'
import { devices } from '#db/schema/devices.ts'
import { alertContacts, alertDevices, alerts, contacts, places } from '#db/schema/places.ts'
import { type DeviceRow, devicesOf, seesSomeTrackers, type Viewer } from '#db/scope.ts'

export type AlertRow = typeof alerts.$inferSelect

/** An alert with its contacts and the trackers that the viewer may see. */
export type AlertDetails = { alert: AlertRow; devices: number[]; contacts: number[] }

/** Alerts the viewer may see: support all; viewers limited to some trackers those that watch one of them; others those of the account. */
function visibleAlerts(db: DbReader, viewer: Viewer): SQL | undefined {
  if (viewer.role === 'deepsupport') return sql`1 = 1`
  const ofAccount = eq(alerts.accountId, viewer.accountId)
  if (!seesSomeTrackers(viewer)) return ofAccount
  const seen = db.select({ id: devices.id }).from(devices).where(devicesOf(db, viewer))
  const watching = db.select({ id: alertDevices.alertId }).from(alertDevices).where(inArray(alertDevices.deviceId, seen))
  return and(ofAccount, inArray(alerts.id, watching))
}

/** Lists the alerts the viewer may see, oldest first, optionally only the one with the id. */
export async function listVisibleAlerts(db: DbReader, viewer: Viewer, id?: number): Promise<AlertDetails[]> {
  const inSight = and(visibleAlerts(db, viewer), id === undefined ? undefined : eq(alerts.id, id))
  const ids = db.select({ id: alerts.id }).from(alerts).where(inSight)
  const rows = await db.select().from(alerts).where(inSight).orderBy(asc(alerts.id))
  const watched = await db
    .select({ alertId: alertDevices.alertId, id: devices.id })
    .from(alertDevices)
    .innerJoin(devices, eq(devices.id, alertDevices.deviceId))
    .where(and(inArray(alertDevices.alertId, ids), devicesOf(db, viewer)))
    .orderBy(asc(devices.id))
  const recipients = await db
    .select({ alertId: alertContacts.alertId, id: alertContacts.contactId })
    .from(alertContacts)
    .where(inArray(alertContacts.alertId, ids))
    .orderBy(asc(alertContacts.contactId))
  const [devicesBy, contactsBy] = [groupById(watched), groupById(recipients)]
  const details = rows.map((alert) => ({ alert, devices: devicesBy.get(alert.id) ?? [], contacts: contactsBy.get(alert.id) ?? [] }))
  // An alert about two trackers would show those who see only one of them where the other one is.
  return details.filter((one) => !isPairRule(one.alert.rule) || one.devices.length === 2)
}

function groupById(rows: { alertId: number; id: number }[]) {
  const groups = new Map<number, number[]>()
  for (const { alertId, id } of rows) groups.set(alertId, [...(groups.get(alertId) ?? []), id])
  return groups
}

export const listVisibleDevices = (db: DbReader, viewer: Viewer, ids: number[]): Promise<DeviceRow[]> =>
  db
    .select()
    .from(devices)
    .where(and(inArray(devices.id, ids), devicesOf(db, viewer)))

export const listDevicesByIds = (db: DbReader, ids: number[]): Promise<DeviceRow[]> =>
  db.select().from(devices).where(inArray(devices.id, ids)).orderBy(asc(devices.id))

export async function listContactIds(db: DbReader, accountId: number, ids: number[]) {
  const rows = await db
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(inArray(contacts.id, ids), eq(contacts.accountId, accountId)))
  return rows.map((row) => row.id)
}

export const hasPlace = async (db: DbReader, accountId: number, id: number) =>
  (await db.$count(places, and(eq(places.id, id), eq(places.accountId, accountId)))) > 0

/** The name and border of a place of the account. */
export async function findPlace(db: DbReader, accountId: number, id: number) {
  const [row] = await db
    .select({ id: places.id, name: places.name, lat: places.lat, lng: places.lng, radius: places.radius, shape: places.shape })
    .from(places)
    .where(and(eq(places.id, id), eq(places.accountId, accountId)))
  return row && { ...row, lat: fromFixed7(row.lat), lng: fromFixed7(row.lng) }
}

/** Ids of all trackers that the alerts watch, whether or not the viewer may see them; optionally only of enabled vehicle alerts. */
export async function listWatchedDeviceIds(db: DbReader, alertIds: number[], { onlyGuarding = false } = {}) {
  const rows = await db
    .selectDistinct({ id: alertDevices.deviceId })
    .from(alertDevices)
    .innerJoin(alerts, eq(alerts.id, alertDevices.alertId))
    .where(and(inArray(alerts.id, alertIds), onlyGuarding ? isGuarding : undefined))
    .orderBy(asc(alertDevices.deviceId))
  return rows.map((row) => row.id)
}

export const countAlerts = (db: DbReader, accountId: number) => db.$count(alerts, eq(alerts.accountId, accountId))

export async function insertAlert(tx: Tx, alert: typeof alerts.$inferInsert) {
  const [row] = await tx.insert(alerts).values(alert).returning()
  return row!
}

export const updateAlertRow = (tx: Tx, { id, ...alert }: AlertRow) => tx.update(alerts).set(alert).where(eq(alerts.id, id))

/** Lists the alerts of an account whose rule is about a time of day. */
export async function listAccountDeadlines(db: DbReader, accountId: number) {
  const rows = await db
    .select({ id: alerts.id, rule: alerts.rule })
    .from(alerts)
    .where(and(eq(alerts.accountId, accountId), isNotNull(alerts.rule), isNull(alerts.offSince)))
  return rows.flatMap(({ id, rule }) => (rule && hasDeadline(rule) ? [id] : []))
}

export const deleteAlerts = (tx: Tx, ids: number[]) => tx.delete(alerts).where(inArray(alerts.id, ids))

/** Replaces the watched trackers, keeping the state of those that stay. */
export async function replaceAlertDevices(tx: Tx, alertId: number, deviceIds: number[]) {
  await tx.delete(alertDevices).where(and(eq(alertDevices.alertId, alertId), notInArray(alertDevices.deviceId, deviceIds)))
  await tx
    .insert(alertDevices)
    .values(deviceIds.map((deviceId) => ({ alertId, deviceId })))
    .onConflictDoNothing()
}

export async function replaceAlertContacts(tx: Tx, alertId: number, contactIds: number[]) {
  await tx.delete(alertContacts).where(eq(alertContacts.alertId, alertId))
  await tx.insert(alertContacts).values(contactIds.map((contactId) => ({ alertId, contactId })))
}

/** Clears the state of all watched trackers, because the alert now watches something else. */
export const clearCrossings = (tx: Tx, alertId: number) =>
  tx.update(alertDevices).set({ crossing: null, firedAt: null, state: null, dueAt: null }).where(eq(alertDevices.alertId, alertId))

export const listAlertIdsOfPlace = async (db: DbReader, placeId: number) => listAlertIds(db, eq(alerts.placeId, placeId))

export function listAlertIdsOnlyForContact(db: DbReader, contactId: number) {
  const telling = (match: SQL | undefined) =>
    db
      .select()
      .from(alertContacts)
      .where(and(eq(alertContacts.alertId, alerts.id), match))
  const [it, another] = [eq(alertContacts.contactId, contactId), ne(alertContacts.contactId, contactId)]
  return listAlertIds(db, and(exists(telling(it)), notExists(telling(another))))
}

async function listAlertIds(db: DbReader, match: SQL | undefined) {
  const rows = await db.select({ id: alerts.id }).from(alerts).where(match).orderBy(asc(alerts.id))
  return rows.map((row) => row.id)
}
