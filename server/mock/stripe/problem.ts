import type * as z from 'zod/mini'

type ProblemDetails = {
  status?: number
  type?: 'invalid_request_error' | 'idempotency_error' | 'card_error'
  code?: string
  decline_code?: string
  param?: string
}

/** An error response in Stripe's words and format. */
export class Problem extends Error {
  readonly details: ProblemDetails
  constructor(message: string, details: ProblemDetails = {}) {
    super(message)
    this.details = details
  }
  toResponse() {
    const { status = 400, type = 'invalid_request_error', ...rest } = this.details
    return Response.json({ error: { type, message: this.message, ...rest } }, { status })
  }
}

export const missingObject = (kind: string, id: string, param = 'id', status = 404) =>
  new Problem(`No such ${kind}: '${id}'`, { status, code: 'resource_missing', param })

/** Describes the first invalid, missing or unknown parameter. */
export function parameterProblem(error: z.core.$ZodError) {
  const issue = error.issues[0]!
  if (issue.code === 'unrecognized_keys') {
    const param = parameterName([...issue.path, issue.keys[0]!])
    return new Problem(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  const param = parameterName(issue.path)
  if (issue.input === undefined) return new Problem(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  return new Problem(`Invalid ${param}: ${issue.message}`, { param })
}

const parameterName = ([first, ...rest]: readonly PropertyKey[]) => String(first) + rest.map((part) => `[${String(part)}]`).join('')
