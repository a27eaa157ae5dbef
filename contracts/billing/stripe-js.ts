/** The last version of Stripe.js with `redirectToCheckout`, which the next version, `clover`, removed. */
export const LAST_REDIRECTING_STRIPE_JS = 'https://js.stripe.com/basil/stripe.js'
