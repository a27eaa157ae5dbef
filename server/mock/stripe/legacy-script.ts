import { PAGES } from './provider.ts'

/** Stripe.js as it was while it could lead to a checkout by the id of its session alone; here to the checkout of whoever served it. */
export const LEGACY_SCRIPT = `(() => {
  const { origin } = new URL(document.currentScript.src)
  window.Stripe = () => ({
    redirectToCheckout: async ({ sessionId }) => {
      location.assign(origin + '${PAGES}/checkout/' + encodeURIComponent(sessionId))
      return new Promise(() => {})
    },
  })
})()
`
