import { config } from '#web/lib/config.ts'

/** The provider's own pages; where else they may be is configured. */
const PROVIDER = ['https://checkout.stripe.com', 'https://billing.stripe.com', 'https://invoice.stripe.com']

/** Leaving the portal for another site; tests look at where to. */
export const browser = { goTo: (url: string) => location.assign(url) }

/** Leads to a page of the card provider. Throws for any other place: nobody is led astray by what a server answers. */
export function goToProvider(url: string) {
  const { origin } = new URL(url)
  const origins = config().payments?.origins ?? []
  if (![location.origin, ...PROVIDER, ...origins].includes(origin)) throw new Error(`The card provider is not at ${origin}`)
  browser.goTo(url)
}
