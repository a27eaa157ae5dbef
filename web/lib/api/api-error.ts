import { defaultCodes, ErrorBody, type ErrorCode } from '#contracts/lib/errors.ts'

/** A failed request. `status` 0 and code `no_answer`: no response. Code `unreadable`: a success whose body cannot be used. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | 'no_answer' | 'unreadable'
  /** Field name to messages from the server; only used to mark the field, never shown. */
  readonly fields: Record<string, string[]>
  /** Further fields of the response body, such as `remaining_attempts`, or `lines` with the errors per line of a file. */
  readonly extras: Record<string, unknown>
  /** The user is being redirected, so nothing should be shown for this error. */
  readonly isLeaving: boolean

  constructor(
    status: number,
    failure: { code: ApiError['code']; fields?: ApiError['fields']; extras?: ApiError['extras']; isLeaving?: boolean },
  ) {
    super(`${status} ${failure.code}`)
    this.status = status
    this.code = failure.code
    this.fields = failure.fields ?? {}
    this.extras = failure.extras ?? {}
    this.isLeaving = failure.isLeaving ?? false
  }
}

/**
 * Reads the body of a failed response. Where it is not as the contract says (empty, a page, the shape of another framework), the status
 * decides, and lists of messages by field still mark their fields.
 */
export function readFailure(status: number, body: unknown): { code: ErrorCode; fields?: Fields; extras?: Record<string, unknown> } {
  const parsed = ErrorBody.safeParse(body)
  if (!parsed.success) return readOtherFailure(status, body)
  const { code: said, errors = {}, detail: _, ...extras } = parsed.data
  const code = (said || codeForStatus(status)) as ErrorCode
  return Array.isArray(errors) ? { code, extras: { ...extras, lines: errors } } : { code, fields: errors, extras }
}

type Fields = Record<string, string[]>

/** `{ field: ["…"] }` of Django, `{ errors: { field: ["…"] } }` of Rails; `non_field_errors` belongs to no field. */
function readOtherFailure(status: number, body: unknown) {
  const code = codeForStatus(status)
  if (typeof body !== 'object' || body === null) return { code }
  const { errors = body } = body as { errors?: unknown }
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) return { code }
  const fields: Fields = {}
  for (const [name, messages] of Object.entries(errors)) {
    if (Array.isArray(messages) && name !== 'non_field_errors') fields[name] = messages.filter((each) => typeof each === 'string')
  }
  return Object.keys(fields).length > 0 ? { code, fields } : { code }
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

/** The words for a failure that a screen has no sentence of its own for. The server says when the payment service is what failed. */
export const wordsOf = (error: unknown) =>
  error instanceof ApiError && error.extras.service === 'payments' ? 'error.payments' : 'error.general'
