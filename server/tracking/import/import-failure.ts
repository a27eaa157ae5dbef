import type { ImportProblem } from '#contracts/lib/constants.ts'
import { UPLOAD_FIELD } from '#contracts/lib/route.ts'
import { Failure } from '#server/lib/errors.ts'

/** A whole file is refused: why, and the line from which on it cannot be read. */
export const refuseFile = (problem: ImportProblem, line?: number) =>
  new Failure('validation_error', { errors: { [UPLOAD_FIELD]: [problem] }, ...(line !== undefined && { line }) })
