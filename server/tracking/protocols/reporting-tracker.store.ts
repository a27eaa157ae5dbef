import { eq, or } from 'drizzle-orm'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/text.ts'
import type { DbReader } from '#db/db.ts'
import { devices } from '#db/schema/devices.ts'
import type { Speaker } from '#db/sessions.ts'

const shown = { id: devices.id, type: devices.type, identifier: devices.identifier, serial: devices.serial }

/**
 * Finds the tracker a key may report for when the phone calls itself `name`. The key of one tracker needs no name; only a name that is
 * another tracker's number is refused. A gateway key needs an identifier or serial.
 */
export async function findReportingTracker(db: DbReader, { deviceId }: Speaker, name = '') {
  const number = normalizeIdentifier(name) ?? normalizeSerial(name)
  if (deviceId === null && number === null) return undefined
  const isIt = deviceId === null ? or(eq(devices.identifier, number ?? ''), eq(devices.serial, number ?? '')) : eq(devices.id, deviceId)
  const [tracker] = await db.select(shown).from(devices).where(isIt)
  const isAnother = number !== null && tracker?.identifier !== number && tracker?.serial !== number
  return isAnother ? undefined : tracker
}
