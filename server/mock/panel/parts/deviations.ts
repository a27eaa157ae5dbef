type Deviation = { call: string; path: string; habit: string }

/** What the portal had to forgive in responses since the page was loaded, newest first. */
export const deviations: Deviation[] = []

/** The portal reports each difference between a response and the contract once per session. */
export const collectDeviations = () =>
  addEventListener('whereabouts:deviations', (event) => deviations.unshift(...(event as CustomEvent<Deviation[]>).detail))
