export const REQUEST_TIMEOUT_MS = 30_000
export const CSRF_COOKIE = 'csrftoken'
export const CSRF_HEADER = 'X-CSRFToken'
