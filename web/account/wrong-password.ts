import type { ApiError } from '#web/lib/api/api-error.ts'

/** A rejection without field errors means a wrong password, because a backend may send 400, 401 or 403 with any body. */
export const isWrongPassword = ({ status, fields }: ApiError) =>
  (status === 400 || status === 401 || status === 403) && Object.keys(fields).length === 0
