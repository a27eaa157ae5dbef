import type { FastifyRequest } from 'fastify'

export type Signature = { name?: string | undefined; key?: string | undefined }

const KEY = /^[0-9a-f]{40}$/

/** Who a phone says it is, by what an app can be told to send: the header, `?key=`, or user and password. */
export function signatureOf({ headers, query }: FastifyRequest): Signature {
  const own = headers['x-device-key']
  const { key } = query as { key?: unknown }
  const [name, password] = basic(headers.authorization)
  const said = typeof own === 'string' ? own : typeof key === 'string' ? key : password
  return { name: name || undefined, key: said }
}

/** With a key elsewhere the id is the name of the phone; without one a tracker's key may stand in its place. */
export const signedAs = (signature: Signature, id: string | undefined): Signature =>
  signature.key === undefined && id !== undefined && KEY.test(id) ? { key: id } : { ...signature, name: id ?? signature.name }

function basic(authorization = ''): string[] {
  const [, encoded] = /^Basic ([\w+/]+=*)$/i.exec(authorization) ?? []
  if (!encoded) return []
  const [name = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':')
  return [name, password.join(':')]
}
