import { eq } from 'drizzle-orm'
import { SCT2 } from '#contracts/rules/tracking/sct2.ts'
import type { Sct2Params } from '#contracts/trackers/sct2.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { sct2Params } from '#db/schema/devices.ts'

export type ParamsRow = typeof sct2Params.$inferSelect

export async function findParams(db: DbReader, deviceId: number) {
  const [row] = await db.select().from(sct2Params).where(eq(sct2Params.deviceId, deviceId))
  return row
}

export const saveParams = (tx: Tx, row: ParamsRow) =>
  tx.insert(sct2Params).values(row).onConflictDoUpdate({ target: sct2Params.deviceId, set: row })

/** Factory settings of the firmware. */
const FACTORY_DEFAULTS = { frequency: 60, keepalivePeriod: 1440, tempSliceDuration: SCT2.slice[0] }

export const presentParams = ({
  frequency,
  keepalivePeriod,
  tempSliceDuration,
}: Omit<ParamsRow, 'deviceId' | 'tempUplinkSlicesDuration'> = FACTORY_DEFAULTS) =>
  ({
    frequency,
    keepalive_period: keepalivePeriod,
    temp_uplink_slices_duration: SCT2.uplinkSlices,
    temp_slice_duration: SCT2.slice.find((minutes) => minutes === tempSliceDuration) ?? SCT2.slice[0],
  }) satisfies Sct2Params

export const toParamsRow = (deviceId: number, params: Sct2Params): ParamsRow => ({
  deviceId,
  frequency: params.frequency,
  keepalivePeriod: params.keepalive_period,
  tempUplinkSlicesDuration: params.temp_uplink_slices_duration,
  tempSliceDuration: params.temp_slice_duration,
})
