import { and, eq } from 'drizzle-orm'
import type { Reader, Tx } from '#db/open.ts'
import type { DeviceRow } from '#db/scope.ts'
import { devices } from '#db/tables/devices.ts'

/** The tracker that signs its messages with these numbers, whoever owns it. */
export async function findTracker(db: Reader, numbers: { identifier: string | null; serial: string | null }) {
  const { identifier, serial } = numbers
  const [row] = await db
    .select()
    .from(devices)
    .where(
      and(identifier === null ? undefined : eq(devices.identifier, identifier), serial === null ? undefined : eq(devices.serial, serial)),
    )
    .limit(1)
  return row
}

export const updateTracker = (tx: Tx, id: number, changes: Partial<DeviceRow>) => tx.update(devices).set(changes).where(eq(devices.id, id))
