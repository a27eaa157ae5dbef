/** The last row of the page before: its value in the sorted column, and its key. */
export type PageEnd = { value: string; key: string }

/** `next` of a page whose last row this is. A key that is also the value is named once. */
export const formatPageEnd = (value: string | number, key: string | number) => (value === key ? String(key) : `${value}_${key}`)

/** Keys contain no `_`; a key alone is also the value. */
export function parsePageEnd(after: string | undefined): PageEnd | undefined {
  if (after === undefined) return undefined
  const at = after.lastIndexOf('_')
  return { value: at < 0 ? after : after.slice(0, at), key: after.slice(at + 1) }
}
