import { config } from '#web/lib/config.ts'

/** Stripe's own origins; the configuration can add others. */
const PROVIDER = ['https://checkout.stripe.com', 'https://billing.stripe.com', 'https://invoice.stripe.com']

/** Leaves the portal; an object so that tests can replace it. */
export const browser = { goTo: (url: string) => location.assign(url) }

/** Opens a page of the card provider. Throws for any other origin, because the URL comes from a server response. */
export function goToProvider(url: string) {
  const { origin } = new URL(url)
  const origins = config().payments?.origins ?? []
  if (![location.origin, ...PROVIDER, ...origins].includes(origin)) throw new Error(`The card provider is not at ${origin}`)
  browser.goTo(url)
}
