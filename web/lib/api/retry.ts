const forgetters = new Set<() => void>()

/** Whoever remembers failures forgets them before a screen is tried again. */
export const onRetry = (forget: () => void) => {
  forgetters.add(forget)
}

export const forgetFailures = () => {
  for (const forget of forgetters) forget()
}
