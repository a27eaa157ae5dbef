/**
 * Whether a path stays on this site, so that return_path, success_path and next can't redirect elsewhere: exactly one leading slash, also
 * after dot segments; no backslash or control character, because browsers read those as a slash or drop them.
 */
export const isSafePath = (path: string) => path.startsWith('/') && !UNSAFE.test(path) && pathnameOf(path) !== null

/** Where to go after signing in; null for another site and for the pages that would cause a redirect loop. */
export const safeNext = (path: string | null): string | null => {
  if (path === null || !isSafePath(path)) return null
  return CIRCULAR.test(pathnameOf(path) ?? '') ? null : path
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const UNSAFE = /[\\\u0000-\u001f\u007f]/
const CIRCULAR = /^\/(login|logout|error)\/*$/i

/** The decoded pathname as a browser resolves it; null if it is malformed or would start with two slashes. */
const pathnameOf = (path: string): string | null => {
  const base = 'https://portal.invalid'
  if (!URL.canParse(path, base)) return null
  const { origin, pathname } = new URL(path, base)
  return origin === base && !pathname.startsWith('//') ? pathname.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent) : null
}
