import { replaceEqualDeep } from '@tanstack/react-query'

/**
 * How many entries of a response could not be read and were left out. The screen that shows the response says so
 * (`web/ui/feedback/omitted-note.tsx`); the screens themselves know nothing of it.
 */
/** Stands for the entries of a list that are still on their way. */
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

/** Whether anything was left out since the page was loaded. */
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
