import { eq, or } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
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

export type Credentials = { name?: string | undefined; key?: string | undefined }

const KEY = /^[0-9a-f]{40}$/

/** Reads the phone's credentials from any place an app can be configured to put them: header, `?key=`, or basic auth. */
export function readCredentials({ headers, query }: FastifyRequest): Credentials {
  const own = headers['x-device-key']
  const { key } = query as { key?: unknown }
  const [name, password] = parseBasicAuth(headers.authorization)
  const secret = typeof own === 'string' ? own : typeof key === 'string' ? key : password
  return { name: name || undefined, key: secret }
}

/** With a key elsewhere `id` is the phone's name; otherwise it may itself be a tracker's key. */
export const withDeviceId = (signature: Credentials, id: string | undefined): Credentials =>
  signature.key === undefined && id !== undefined && KEY.test(id) ? { key: id } : { ...signature, name: id ?? signature.name }

function parseBasicAuth(authorization = ''): string[] {
  const [, encoded] = /^Basic ([\w+/]+=*)$/i.exec(authorization) ?? []
  if (!encoded) return []
  const [name = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':')
  return [name, password.join(':')]
}
