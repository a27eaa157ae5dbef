/** Leaving the portal for another site; tests look at where to. */
export const browser = { goTo: (url: string) => location.assign(url) }
