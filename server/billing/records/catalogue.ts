const PREFIX = 'whereabouts_'

/** Under what name the provider's catalogue holds what we sell at a price. */
export const productOf = (price: string) => `${PREFIX}${price}`

/** The price of ours that a product of the provider's catalogue stands for; null when it is none of ours. */
export const priceOfProduct = (product: string) => (product.startsWith(PREFIX) ? product.slice(PREFIX.length) : null)
