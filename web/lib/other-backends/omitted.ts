import { replaceEqualDeep } from '@tanstack/react-query'

/**
 * The number of entries of a response that were unreadable and skipped. The screen that shows the response displays it
 * (`web/ui/feedback/omitted-note.tsx`); the screens themselves are unaware of it.
 */
/** Placeholder for the entries of a list that have not arrived yet. */
export const MORE = Number.POSITIVE_INFINITY

const counts = new WeakMap<object, number>()

const listeners = new Set<() => void>()
let isAnyOmitted = false

export const countOmitted = (value: unknown, omitted: number) => {
  if (omitted === 0 || typeof value !== 'object' || value === null) return
  counts.set(value, omitted)
  isAnyOmitted = true
  for (const listener of listeners) listener()
}

/** Whether anything was skipped since the page was loaded. */
export const hasOmitted = () => isAnyOmitted
export const onOmitted = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const getOmitted = (value: unknown) => (typeof value === 'object' && value !== null ? (counts.get(value) ?? 0) : 0)

/** Structural sharing replaces a value by an equal one, which must not lose its count. */
export function shareOmitted(before: unknown, value: unknown) {
  const shared = replaceEqualDeep(before, value)
  countOmitted(shared, getOmitted(value))
  return shared
}
