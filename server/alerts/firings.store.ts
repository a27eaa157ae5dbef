import { and, desc, eq, inArray, lt, or } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { devices } from '#db/schema/devices.ts'
import { alertFirings } from '#db/schema/places.ts'
import { devicesOf, ofAccount, type Viewer } from '#db/scope.ts'

export type NewFiring = typeof alertFirings.$inferInsert

export const insertFiring = (tx: Tx, firing: NewFiring) => tx.insert(alertFirings).values(firing)

/** The last firing of the previous page. */
export type FiringCursor = { at: Date; id: number }
type Filter = { device: number | undefined; place: number | undefined; before: FiringCursor | undefined; limit: number }

/** Fired alerts of trackers that the viewer may see, newest first. */
export function listFirings(db: DbReader, viewer: Viewer, { device, place, before, limit }: Filter) {
  const seen = db.select({ id: devices.id }).from(devices).where(devicesOf(db, viewer))
  return db
    .select({ firing: alertFirings, deviceName: devices.name })
    .from(alertFirings)
    .innerJoin(devices, eq(devices.id, alertFirings.deviceId))
    .where(
      and(
        ofAccount(alertFirings.accountId, viewer),
        inArray(alertFirings.deviceId, seen),
        device === undefined ? undefined : eq(alertFirings.deviceId, device),
        place === undefined ? undefined : eq(alertFirings.aboutId, place),
        before && or(lt(alertFirings.at, before.at), and(eq(alertFirings.at, before.at), lt(alertFirings.id, before.id))),
      ),
    )
    .orderBy(desc(alertFirings.at), desc(alertFirings.id))
    .limit(limit)
}
