import type { Due } from './due-fixes.ts'

/** What one tracker sends in one message; `second` is that of its last fix. */
export type Batch = { identifier: string; second: number; fixes: Due[] }

const HOUR = 3600
const MAX_FIXES = 200

/**
 * Groups the fixes of a tracker into messages. Hours are counted from the anchor, so the result does not depend on the number of steps in
 * which time advances.
 */
export function batchesOf(identifier: string, fixes: Due[]): Batch[] {
  const batches: Batch[] = []
  for (const fix of fixes) {
    const open = batches.at(-1)
    const isFull = !open || hourOf(open.second) !== hourOf(fix.second) || open.fixes.length >= MAX_FIXES || open.fixes[0]?.appliesMode
    if (isFull) batches.push({ identifier, second: fix.second, fixes: [fix] })
    else {
      open.fixes.push(fix)
      open.second = fix.second
    }
  }
  return batches
}

/** A full hour belongs to the hour it ends. */
const hourOf = (second: number) => Math.ceil(second / HOUR)
