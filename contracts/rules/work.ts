/** A computation that may pause at each `yield`; nothing may take longer than a few milliseconds between two of them. */
export type Work<T> = Generator<void, T>

/** Does all of it at once. */
export function finish<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
