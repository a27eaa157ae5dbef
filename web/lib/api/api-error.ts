import { defaultCodes, ErrorBody, type ErrorCode } from '#contracts/lib/errors.ts'

type FieldWords = 'error.taken' | 'form.missing' | 'error.invalid'

/** A failed request. `status` 0 and code `no_answer`: no response. Code `unreadable`: a success whose body cannot be used. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | 'no_answer' | 'unreadable'
  /** Field name to messages from the server; only used to mark the field, never shown. */
  readonly fields: Record<string, string[]>
  /** The message for a field that another backend has rejected, derived from its own message. */
  readonly words: Record<string, FieldWords>
  /** Further fields of the response body, such as `remaining_attempts`, or `lines` with the errors per line of a file. */
  readonly extras: Record<string, unknown>
  /** The user is being redirected, so nothing should be shown for this error. */
  readonly isLeaving: boolean

  constructor(status: number, failure: Omit<Failure, 'code'> & { code: ApiError['code']; isLeaving?: boolean }) {
    super(`${status} ${failure.code}`)
    this.status = status
    this.code = failure.code
    this.fields = failure.fields ?? {}
    this.words = failure.words ?? {}
    this.extras = failure.extras ?? {}
    this.isLeaving = failure.isLeaving ?? false
  }
}

type Failure = { code: ErrorCode; fields?: ApiError['fields']; words?: ApiError['words']; extras?: ApiError['extras'] }

/**
 * Reads the body of a failed response. If it does not follow the contract (empty, a page, another framework's shape), the status decides.
 */
export function readFailure(status: number, body: unknown): Failure {
  const parsed = ErrorBody.safeParse(body)
  if (!parsed.success) return { code: codeForStatus(status) }
  const { code: said, errors = {}, detail: _, ...extras } = parsed.data
  const code = (said || codeForStatus(status)) as ErrorCode
  return Array.isArray(errors) ? { code, extras: { ...extras, lines: errors } } : { code, fields: errors, extras }
}

const codeForStatus = (status: number): ErrorCode =>
  defaultCodes[status] ?? (status >= 400 && status < 500 ? 'validation_error' : 'server_error')

/** For reads: a 404 means that the object does not exist, or belongs to another account. */
export const nullIfUnknown = (error: unknown) => {
  ignoreGone(error)
  return null
}

/** For deletions: a 404 or 410 means the object is already gone, which counts as success. */
export const ignoreGone = (error: unknown) => {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}

/** The message for a failure without one of the screen's own. The server reports when the payment service failed. */
export const wordsOf = (error: unknown) =>
  error instanceof ApiError && error.extras.service === 'payments' ? 'error.payments' : 'error.general'
