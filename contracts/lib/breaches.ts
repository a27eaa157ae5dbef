import * as z from 'zod/mini'
import { ErrorBody, errors } from './errors.ts'
import { findUpload, listContentTypes, listErrorCodes, type Route } from './route.ts'

/**
 * A request and its response as sent over the wire: JSON is parsed, anything else is text. `body` is undefined when the request had none.
 */
export type Exchange = {
  method: string
  query: unknown
  body: unknown
  status: number
  contentType: string
  answer: unknown
}

/** One difference between an exchange and its contract. `unknown` is a field that the contract does not name, which a client can ignore. */
export type Breach = { side: 'request' | 'response'; kind: 'invalid' | 'unknown'; path: string; message: string }

type Prepare = <T extends z.ZodMiniType>(schema: T) => T

/** Returns every breach of the contract in an exchange. `prepare` can replace a schema by a faster equivalent. */
export const findBreaches = (route: Route, exchange: Exchange, prepare: Prepare = (schema) => schema): Breach[] => [
  ...checkRequest(route, exchange, prepare).map((found) => ({ side: 'request' as const, ...found })),
  ...checkResponse(route, exchange, prepare).map((found) => ({ side: 'response' as const, ...found })),
]

type Difference = Omit<Breach, 'side'>

/** A request rejected before its body was parsed (401, 404…) is not checked for its body. */
function checkRequest({ query, body }: Route, exchange: Exchange, prepare: Prepare): Difference[] {
  const isRead = exchange.body !== undefined || exchange.status < 400 || exchange.status === errors.validation_error
  return [
    ...(query ? checkSchema(prepare(query), exchange.query, 'query') : []),
    ...(body && !findUpload(body) && isRead ? checkSchema(prepare(body), exchange.body ?? {}, 'body') : []),
  ]
}

function checkResponse(route: Route, { method, status, contentType, answer }: Exchange, prepare: Prepare): Difference[] {
  if (method === 'HEAD' || (method === 'GET' && status === 304)) return []
  const schema = route.response[status as keyof Route['response']]
  if (!schema) return status >= 400 ? checkErrorResponse(route, status, answer) : [invalidAt('status', `${status} is not in the contract`)]
  const files = listContentTypes(schema)
  if (files.some((file) => contentType.startsWith(file))) return []
  if (files.length > 0) return [invalidAt('content-type', `${contentType || 'none'} instead of ${files.join(' or ')}`)]
  if (status === 204) return answer === '' ? [] : [invalidAt('', 'a body where there is none')]
  return checkSchema(prepare(schema), answer, '')
}

function checkErrorResponse(route: Route, status: number, answer: unknown): Difference[] {
  const found = checkSchema(ErrorBody, answer, '')
  if (found.length > 0) return found
  const code = listErrorCodes(route).find((one) => one === ErrorBody.parse(answer).code)
  if (!code) return [invalidAt('code', 'not a code of this call')]
  return errors[code] === status ? [] : [invalidAt('status', `${status} instead of ${errors[code]} for ${code}`)]
}

const invalidAt = (path: string, message: string): Difference => ({ kind: 'invalid', path, message })

function checkSchema(schema: z.ZodMiniType, value: unknown, at: string): Difference[] {
  const parsed = z.safeParse(schema, value)
  const found = parsed.success
    ? unknownFields(value, parsed.data, at).map((path): Difference => ({ kind: 'unknown', path, message: 'not in the contract' }))
    : parsed.error.issues.map(({ path, message }) => invalidAt(joinPath(at, ...path), message))
  return [...new Map(found.map((one) => [`${one.path} ${one.message}`, one])).values()]
}

/** Returns the paths of fields that parsing dropped; list indices become `*`. */
function unknownFields(value: unknown, parsed: unknown, at: string): string[] {
  if (!isContainer(value) || !isContainer(parsed)) return []
  return Object.keys(value).flatMap((key) => {
    const path = joinPath(at, Array.isArray(value) ? Number(key) : key)
    return key in parsed ? unknownFields(value[key], parsed[key], path) : [path]
  })
}

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const joinPath = (...path: PropertyKey[]) =>
  path
    .map((part) => (typeof part === 'number' ? '*' : String(part)))
    .filter(Boolean)
    .join('.')
