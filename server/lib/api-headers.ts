/** Headers of everything but pages and files: it is neither stored by caches nor shown, framed or embedded by pages. */
export const apiHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
}
