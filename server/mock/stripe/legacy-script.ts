import { PAGES_PATH } from './provider.ts'

/** Imitates the old Stripe.js, which could redirect to a checkout by session id alone. Redirects to the server that served the script. */
export const LEGACY_SCRIPT = `(() => {
  const { origin } = new URL(document.currentScript.src)
  window.Stripe = () => ({
    redirectToCheckout: async ({ sessionId }) => {
      location.assign(origin + '${PAGES_PATH}/checkout/' + encodeURIComponent(sessionId))
      return new Promise(() => {})
    },
  })
})()
`
