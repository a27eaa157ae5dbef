const clearers = new Set<() => void>()

/** Registers a callback that clears remembered failures before a screen is retried. */
export const onRetry = (forget: () => void) => {
  clearers.add(forget)
}

export const clearFailures = () => {
  for (const forget of clearers) forget()
}
