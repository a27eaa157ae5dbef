import type { ApiError } from '#web/lib/api/api-error.ts'

/** A refusal that blames no field is about the password, whatever its body says (C-04, R-8.29). */
export const isWrongPassword = ({ status, fields }: ApiError) =>
  (status === 400 || status === 401 || status === 403) && Object.keys(fields).length === 0
