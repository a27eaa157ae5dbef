import type { FastifyRequest } from 'fastify'
import { isDeviceKey, normalizeDeviceKey } from '#contracts/rules/reading/text.ts'

export type Credentials = { name?: string | undefined; key?: string | undefined }

/**
 * Reads the phone's credentials from any place where an app can be configured to send them: header, `?key=`, bearer token, or basic auth.
 */
export function readCredentials({ headers, query }: FastifyRequest): Credentials {
  const own = headers['x-device-key']
  const { key } = query as { key?: unknown }
  const [name, password] = parseBasicAuth(headers.authorization)
  const secret = typeof own === 'string' ? own : typeof key === 'string' ? key : (parseBearer(headers.authorization) ?? password)
  return { name: name || undefined, key: secret }
}

/**
 * If there is a key elsewhere, `id` is the phone's name; otherwise it may itself be a tracker's key, pasted with a space or in capitals.
 */
export function withDeviceId(credentials: Credentials, id: string | undefined): Credentials {
  const key = normalizeDeviceKey(id ?? '')
  return credentials.key === undefined && isDeviceKey(key) ? { key } : { ...credentials, name: id ?? credentials.name }
}

const parseBearer = (authorization = '') => /^Bearer +(\S+)$/i.exec(authorization)?.[1]

function parseBasicAuth(authorization = ''): string[] {
  const [, encoded] = /^Basic ([\w+/]+=*)$/i.exec(authorization) ?? []
  if (!encoded) return []
  const [name = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':')
  return [name, password.join(':')]
}
