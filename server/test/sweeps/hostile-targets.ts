/** Targets that some browser or program might interpret as another site. */
export const HOSTILE = [
  '//evil.example',
  '///evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/x/..//evil.example',
  '/%2e//evil.example',
  '/%2e%2e//evil.example',
  '/x/%2E%2e//evil.example',
  '/./\\evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '\t//evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '/x\r\nlocation: //evil.example',
  '/\u0000/evil.example',
  'https:evil.example',
  'https://evil.example',
  'http:/evil.example',
  'javascript:alert(1)',
  ' //evil.example',
  '@evil.example',
  '.evil.example',
  '/\ud800',
]
export const ORIGIN = 'http://portal.test'

/** Whether a redirect stays on the portal's origin or leads to another one. */
export const staysHere = (location: unknown, origin = ORIGIN) =>
  typeof location === 'string' && !/^(\/[/\\]|\\)/.test(location) && new URL(location, origin).origin === origin

/** Targets in the form of an address, once and twice encoded. */
export const encodings = HOSTILE.filter((target) => !/\p{Surrogate}/u.test(target)).flatMap((target) => [
  encodeURIComponent(target),
  encodeURIComponent(encodeURIComponent(target)),
])
