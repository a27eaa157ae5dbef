type RunInSpan = <T>(name: string, work: () => Promise<T>) => Promise<T>

let runInSpan: RunInSpan | undefined

/** Sets how spans are made; without it there are none and nothing is loaded for them. */
export function setSpans(run: RunInSpan) {
  runInSpan = run
}

/** Runs work that no request causes in a span of its own, where traces are exported. */
export const withSpan: RunInSpan = (name, work) => (runInSpan ? runInSpan(name, work) : work())
