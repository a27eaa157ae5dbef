import { eq, inArray } from 'drizzle-orm'
import { devices, sct2Params } from '#db/schema/devices.ts'
import type { Reader } from '#db/sqlite/open.ts'

/** The columns of a tracker that decide when it sends. */
export type Settings = Awaited<ReturnType<typeof readSettings>>[number]

export const readSettings = (db: Reader, identifiers: string[]) =>
  db
    .select({
      identifier: devices.identifier,
      type: devices.type,
      boardName: devices.boardName,
      mode: devices.mode,
      pendingMode: devices.pendingMode,
      boostUntil: devices.boostUntil,
      networkState: devices.networkState,
      networkActivatedAt: devices.networkActivatedAt,
      subState: devices.subState,
      subEndDate: devices.subEndDate,
      lastMessageAt: devices.lastMessageAt,
      frequency: sct2Params.frequency,
      keepalivePeriod: sct2Params.keepalivePeriod,
    })
    .from(devices)
    .leftJoin(sct2Params, eq(sct2Params.deviceId, devices.id))
    .where(inArray(devices.identifier, identifiers))
    .orderBy(devices.identifier)
