import { defaultCodes, ErrorBody, type ErrorCode } from '#contracts/lib/errors.ts'

/** A failed request. `status` 0 and code `no_answer`: no response. Code `undeclared`: a 2xx status that the contract does not list. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | 'no_answer' | 'undeclared' | 'unreadable'
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

/** Reads the body of a failed response. An empty, HTML or unknown body falls back to the code for its status. */
export function readFailure(status: number, body: unknown) {
  const parsed = ErrorBody.safeParse(body)
  if (!parsed.success) return { code: codeForStatus(status) }
  const { code: said, errors = {}, detail: _, ...extras } = parsed.data
  const code = (said || codeForStatus(status)) as ErrorCode
  return Array.isArray(errors) ? { code, extras: { ...extras, lines: errors } } : { code, fields: errors, extras }
}

const codeForStatus = (status: number): ApiError['code'] =>
  status >= 200 && status <= 299 ? 'undeclared' : (defaultCodes[status] ?? 'server_error')

/** For reads: a 404 means that the object does not exist, or belongs to another account. */
export const nullIfUnknown = (error: unknown) => {
  ignoreGone(error)
  return null
}

/** For deletions: a 404 or 410 means the object is already gone, which counts as success. */
export const ignoreGone = (error: unknown) => {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}
