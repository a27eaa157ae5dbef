const PREFIX = 'whereabouts_'

/** Stripe product id of one of our prices. */
export const stripeProductId = (price: string) => `${PREFIX}${price}`

/** The price that a Stripe product stands for; null for a product that is not ours. */
export const parseProductId = (product: string) => (product.startsWith(PREFIX) ? product.slice(PREFIX.length) : null)
