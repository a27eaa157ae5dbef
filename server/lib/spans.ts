type RunInSpan = <T>(name: string, work: () => Promise<T>) => Promise<T>

let runInSpan: RunInSpan | undefined

/** Sets the function that creates spans; without it there are none and nothing is loaded for them. */
export function setSpans(run: RunInSpan) {
  runInSpan = run
}

/** Runs work without a request in a span of its own, if traces are exported. */
export const withSpan: RunInSpan = (name, work) => (runInSpan ? runInSpan(name, work) : work())
