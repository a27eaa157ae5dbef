import { createHmac } from 'node:crypto'

/** The CSRF token of a session. It is derived from the session's token, so that a pair of cookie and header from elsewhere is rejected. */
export const csrfTokenOf = (token: string) => createHmac('sha256', token).update('csrf').digest('hex').slice(0, 40)
