import { codeOfStatus, ErrorBody, type ErrorCode } from '#contracts/lib/errors.ts'

/** A failed call. `status` 0 is no answer at all, `code` then `no_answer`; 2xx that the contract does not name is `undeclared`. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | 'no_answer' | 'undeclared' | 'unreadable'
  /** Field name to what is wrong with it, in the words of the server: a sign, never shown. */
  readonly fields: Record<string, string[]>
  /** What stands beside the code, such as `remaining_attempts`; `lines` are those of a file with what is wrong with each. */
  readonly extras: Record<string, unknown>
  /** The person is being taken to another page; whoever holds this error shows nothing. */
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

/** Reads the body of a failure; an empty, HTML or foreign body means what the status means. */
export function readFailure(status: number, body: unknown) {
  const parsed = ErrorBody.safeParse(body)
  if (!parsed.success) return { code: codeOf(status) }
  const { code: said, errors = {}, detail: _, ...extras } = parsed.data
  const code = (said || codeOf(status)) as ErrorCode
  return Array.isArray(errors) ? { code, extras: { ...extras, lines: errors } } : { code, fields: errors, extras }
}

const codeOf = (status: number): ApiError['code'] =>
  status >= 200 && status <= 299 ? 'undeclared' : (codeOfStatus[status] ?? 'server_error')

/** For what is deleted: one that is gone already is as good as deleted. */
export const orGone = (error: unknown) => {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}
