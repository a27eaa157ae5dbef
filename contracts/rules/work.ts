/** A computation that may pause at each `yield`; between two of them it runs for at most a few milliseconds. */
export type Work<T> = Generator<void, T>

/** Runs it to its end without pausing. */
export function finish<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
