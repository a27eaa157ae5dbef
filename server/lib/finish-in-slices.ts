import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Work } from '#contracts/rules/work.ts'

/** Amount of work between two yields to the event loop. */
const SLICE_MS = 5

/** Runs a computation to its end, and lets other requests run in between. */
export async function finishInSlices<T>(work: Work<T>): Promise<T> {
  for (let since = performance.now(); ; ) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() - since < SLICE_MS) continue
    await yieldToEventLoop()
    since = performance.now()
  }
}
