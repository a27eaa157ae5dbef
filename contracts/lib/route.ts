import * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import type { Role } from './rights.ts'
import type { Scope } from './scopes.ts'
import type { StaffRole } from './staff-rights.ts'

/** Staff of the listed roles, with a session of the console or a key for another system of the company. */
export type StaffAccess = { staff: readonly StaffRole[] }

/** Who may call: everybody, a device with its key, users of the listed roles, or staff. */
export type Access = 'public' | 'device' | readonly Role[] | StaffAccess

/** The roles of users that may call; none for other kinds of callers. */
export const rolesOf = (access: Access): readonly Role[] => (typeof access === 'string' || isStaffAccess(access) ? [] : access)

export const isStaffAccess = (access: Access): access is StaffAccess => typeof access === 'object' && 'staff' in access

export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/${string}`
  summary: string
  access: Access
  /** The scope that an API token needs for the call; without a scope no token can make it. */
  scope?: Scope
  /**
   * Whether the response shows where a tracker is or was, or where its owner lives; then the owner's security log records that support read
   * positions. Every response with coordinates, every file and every stream declares it, true or false
   * (`server/security/support-reads.test.ts`).
   */
  showsPositions?: boolean
  /** Whether the session must have been signed in or confirmed within ten minutes: always, or if its user has a second factor. */
  recentSignIn?: 'always' | 'with_factor'
  /** The call takes much time, memory or volume: an account runs one such call at a time, and two more wait. */
  costly?: true
  params?: z.ZodMiniObject
  query?: z.ZodMiniObject
  body?: z.ZodMiniType
  /** The statuses a client accepts as success. Our server sends the last one listed. */
  response: { [status in 200 | 201 | 202 | 204]?: z.ZodMiniType }
  /** Error codes beyond those implied by access, params, query and body. */
  errors?: readonly ErrorCode[]
  /** Whether the contract checker may send the call to a real backend without asking first. */
  safety: 'read' | 'reversible' | 'destructive'
  /** Where the bodies come from: shown in the specification, assumed by us, or `ours`: an extra that no other backend needs. */
  provenance: 'spec' | 'assumed' | 'ours'
}

export type Contract = Record<string, Route>

type Part = 'params' | 'query' | 'body'

/** The input as a client passes it, before parsing. */
export type RequestOf<R> = { [P in Part & keyof R]: R[P] extends z.ZodMiniType ? z.input<R[P]> : never }

/** The input as a handler receives it, after parsing. */
export type ParsedOf<R> = { [P in Part & keyof R]: R[P] extends z.ZodMiniType ? z.output<R[P]> : never }

/** The body of a success. Response schemas contain no transforms, so input and output types agree. */
export type BodyOf<R extends Route> = R['response'][keyof R['response']] extends infer S
  ? S extends z.ZodMiniType
    ? z.output<S>
    : never
  : never

/** Returns the status and schema our server sends: the last status listed, since object keys ascend. */
export const getSuccess = (route: Route) => {
  const [status, schema] = Object.entries(route.response).at(-1)!
  return { status: Number(status), schema }
}

/** Returns every error code an endpoint can answer: its own and those implied by what it accepts. */
export function listErrorCodes(route: Route): ErrorCode[] {
  const all: ErrorCode[] = [...(route.errors ?? [])]
  if (route.access === 'device') all.push('invalid_device_key')
  const needsSession = Array.isArray(route.access) || isStaffAccess(route.access)
  // Not for API tokens, even if every role may call it.
  if (needsSession) all.push('not_authenticated', 'permission_denied')
  if (needsSession && route.method !== 'GET') all.push('csrf_failed')
  if (isDeed(route)) all.push('key_used_elsewhere', 'validation_error')
  if (route.recentSignIn) all.push('sign_in_again')
  if (route.costly) all.push('account_busy')
  if (route.costly && findUpload(route.body)) all.push('upload_limit')
  if (route.params) all.push('not_found')
  if (route.query || route.body) all.push('validation_error')
  // The server parses a body before it checks whether the endpoint takes one.
  if (route.method !== 'GET' && !findUpload(route.body)) all.push('malformed_json')
  if (route.method !== 'GET') all.push('too_large', 'unsupported_media_type')
  return [...new Set<ErrorCode>([...all, 'throttled', 'server_error', 'unavailable'])]
}

/** Whether staff change something by the call: it stands in the log of deeds, and its `Idempotency-Key` makes a repeat harmless. */
export const isDeed = ({ access, method, safety }: Pick<Route, 'access' | 'method' | 'safety'>) =>
  isStaffAccess(access) && method !== 'GET' && safety !== 'read'

type FileType =
  | 'application/geo+json'
  | 'application/gpx+xml'
  | 'application/json'
  | 'application/octet-stream'
  | 'application/pdf'
  | 'application/vnd.google-earth.kml+xml'
  | 'application/vnd.whereabouts.track'
  | 'application/vnd.sqlite3'
  | 'application/zip'
  | 'message/rfc822'
  | 'text/csv'
  | 'text/html'
  | 'text/plain'
type Media = FileType | 'text/event-stream'

const media = z.registry<{ contentType: Media; others?: Media[]; maxBytes?: number }>()

/** Schema of a download, of one of the types; the client gets its bytes. */
export const file = (contentType: FileType, ...others: FileType[]) => {
  const schema = z.custom<Uint8Array<ArrayBuffer>>((value) => ArrayBuffer.isView(value))
  media.add(schema, { contentType, others })
  return schema
}

/** Schema of an open-ended response. The portal reads it with its own live channel. */
export const stream = (contentType: 'text/event-stream') => {
  const schema = z.custom<AsyncIterable<string>>((value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value)
  media.add(schema, { contentType })
  return schema
}

/** Schema of an uploaded file: the client passes a Blob, the handler reads its bytes as a stream of at most `maxBytes`. */
export const upload = (contentType: FileType, maxBytes: number) => {
  const schema = z.custom<AsyncIterable<Uint8Array>, Blob>((value) => value instanceof Blob)
  media.add(schema, { contentType, maxBytes })
  return schema
}

/**
 * Returns how a file is uploaded: as the whole body of type `contentType`, or as the field `file` of a form. Undefined when the body is no
 * file.
 */
export function findUpload(schema: z.ZodMiniType | undefined) {
  const { contentType, maxBytes } = (schema && media.get(schema)) ?? {}
  return contentType !== undefined && maxBytes !== undefined ? { contentType, maxBytes } : undefined
}

/** Form field that carries an uploaded file. */
export const UPLOAD_FIELD = 'file'

export const findContentType = (schema: z.ZodMiniType) => media.get(schema)?.contentType

/** Returns every type that a download can have; none for JSON. */
export function listContentTypes(schema: z.ZodMiniType): Media[] {
  const { contentType, others = [] } = media.get(schema) ?? {}
  return contentType ? [contentType, ...others] : []
}

/** The body of a 204. */
export const nothing = z.void()

/** What a caller passes to an endpoint, not yet validated. */
export type RequestInput = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }

type Arguments<R extends Route, Options> = keyof RequestOf<R> extends never
  ? [input?: Record<never, never>, options?: Options]
  : [input: RequestOf<R>, options?: Options]

/** One function per endpoint of a contract; resolves to the body of the successful response. */
export type Client<C extends Contract, Options = never> = {
  [K in keyof C]: (...input: Arguments<C[K], Options>) => Promise<BodyOf<C[K]>>
}

type Send<Options> = (route: Route, input: RequestInput, options: Options | undefined) => Promise<unknown>

/** Builds the functions of a client. `send` performs the request and turns the response into a result. */
export function createClient<C extends Contract, Options = never>(contract: C, send: Send<Options>): Client<C, Options> {
  const calls = Object.entries(contract).map(([name, route]) => [
    name,
    (input: RequestInput = {}, options?: Options) => send(route, input, options),
  ])
  return Object.fromEntries(calls)
}

/** Builds the URL of a request, without a double slash whether or not the base ends with one. */
export function buildUrl(base: string, path: string, { params = {}, query = {} }: Omit<RequestInput, 'body'> = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return base.replace(/\/+$/, '') + filled + (search && `?${search}`)
}
