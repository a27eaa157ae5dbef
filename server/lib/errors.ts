import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorBody, type ErrorCode, errors } from '#contracts/lib/errors.ts'
import { classifyDbError } from '#db/classify-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error response. */
    refusedWith: ErrorCode | null
  }
}

/** Headers of everything except pages and files: neither stored by caches nor shown, framed or embedded by pages. */
export const apiHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
}

type Extras = { errors?: NonNullable<ErrorBody['errors']>; [name: string]: unknown }

/** Thrown anywhere below a route. The code decides status and wording; extras are added to the response body. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly extras: Extras
  /** Seconds until a throttled request may be sent again, for `Retry-After`. */
  retryAfter: number | undefined
  constructor(code: ErrorCode, extras: Extras = {}, options?: ErrorOptions) {
    super(code, options)
    this.code = code
    this.extras = extras
  }
}

/** Too many attempts; the next one is allowed after these milliseconds. */
export function throttledFor(ms: number) {
  const failure = new Failure('throttled')
  failure.retryAfter = Math.max(1, Math.ceil(ms / 1000))
  return failure
}

/** A field is invalid. `reasons` are English, for developers; the portal words them itself. */
export const invalidField = (field: string, ...reasons: string[]) => new Failure('validation_error', { errors: { [field]: reasons } })

/** Names the service that failed, for which the portal has a sentence of its own. */
export const PAYMENTS_FAILED = { service: 'payments' }

/** Codes of errors that Fastify and the card provider throw. */
const codes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_json',
  StripeConnectionError: 'unavailable',
  StripeAPIError: 'unavailable',
  StripeRateLimitError: 'unavailable',
}

export function answerErrors(app: FastifyInstance) {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof Failure) {
      if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
      return sendFailure(reply, error.code, error.extras)
    }
    const code = findErrorCode(error)
    if (errors[code] >= 500 && !isOfPayments(error)) logFailure(request, error)
    return sendFailure(reply, code, isOfPayments(error) ? PAYMENTS_FAILED : {})
  })
}

/** Responds to a path that cannot be decoded, such as `/%`, for which Fastify has a different error body. */
export const answerBadUrl = (_error: Error, _request: FastifyRequest, reply: FastifyReply) => sendFailure(reply, 'not_found')

/** Responds to bytes that are no HTTP request. Node provides no reply object for them, so the response is written by hand. */
export function answerNoRequest({ code }: { code?: string }, socket: Socket) {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const failure: ErrorCode = code === 'HPE_HEADER_OVERFLOW' ? 'too_large' : 'validation_error'
  const body = JSON.stringify(errorBody(failure))
  const status = `${errors[failure]} ${STATUS_CODES[errors[failure]]}`
  const head = ['content-type: application/json; charset=utf-8', `content-length: ${body.length}`, 'connection: close']
  endConnection(socket, `HTTP/1.1 ${status}\r\n${head.join('\r\n')}\r\n\r\n${body}`)
}

const LINGER_MS = 1000

/** Sends a last response and cuts the connection soon after: a client that never closes its side would hold it open forever. */
export function endConnection(socket: Socket, response: string) {
  socket.end(response)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** The error code of the response to an error. */
export function findErrorCode(error: FastifyError): ErrorCode {
  if (error instanceof Failure) return error.code
  const ofDb = classifyDbError(error)
  const known =
    codes[error.code] ??
    (ofDb === 'unavailable' ? 'unavailable' : ofDb === 'text' ? 'validation_error' : undefined) ??
    ('type' in error ? codes[String(error.type)] : undefined)
  if (known) return known
  if (error instanceof SyntaxError && error.statusCode === 400) return 'malformed_json'
  const ofFile = fileErrorCode(error)
  if (ofFile) return ofFile
  // Errors of Stripe carry a status too, which says nothing about our caller.
  const isFastify = error.code?.startsWith('FST_') ?? false
  return isFastify && (error.statusCode ?? 500) < 500 ? 'validation_error' : 'server_error'
}

/** Rejections of `@fastify/static` and `@fastify/send`, the only errors with a `status`. */
const fileErrors: Record<number, ErrorCode> = {
  400: 'not_found',
  403: 'not_found',
  404: 'not_found',
  412: 'precondition_failed',
  416: 'range_not_satisfiable',
}

const fileErrorCode = (error: FastifyError) =>
  'status' in error && error.status === error.statusCode ? fileErrors[Number(error.status)] : undefined

/** The card provider does not respond: its calls log that, one line a minute. */
const isOfPayments = (error: FastifyError) => 'type' in error && codes[String(error.type)] === 'unavailable'

const logFailure = (request: FastifyRequest, error: Error) => request.log.error({ err: error }, 'a request failed')

/** The error body without extras. */
export const errorBody = (code: ErrorCode): ErrorBody => ({ detail: code.replaceAll('_', ' '), code })

function sendFailure(reply: FastifyReply, code: ErrorCode, extras: Extras = {}) {
  reply.request.refusedWith = code
  const body = { ...errorBody(code), ...extras }
  const headers = { 'content-type': 'application/json; charset=utf-8', ...apiHeaders }
  return reply.code(errors[code]).headers(headers).send(JSON.stringify(body))
}
