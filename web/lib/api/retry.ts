const forgetters = new Set<() => void>()

/** Registers a callback that clears remembered failures before a screen is retried. */
export const onRetry = (forget: () => void) => {
  forgetters.add(forget)
}

export const forgetFailures = () => {
  for (const forget of forgetters) forget()
}
