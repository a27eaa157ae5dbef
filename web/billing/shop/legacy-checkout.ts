type LegacyStripe = (publicKey: string) => { redirectToCheckout(to: { sessionId: string }): Promise<{ error?: unknown }> }

declare global {
  interface Window {
    Stripe?: LegacyStripe
  }
}

/** For backends that send no checkout URL: loads the Stripe.js version that still has `redirectToCheckout`. */
export async function redirectToCheckout(script: string | undefined, publicKey: string, sessionId: string) {
  if (!window.Stripe && script) await loadScript(script)
  if (!window.Stripe) throw new Error('No Stripe.js is configured')
  const { error } = await window.Stripe(publicKey).redirectToCheckout({ sessionId })
  if (error) throw new Error('Stripe.js did not lead to the checkout')
}

const loadScript = (src: string) =>
  new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new Error('Stripe.js did not load'))
    }
    script.src = src
    document.head.append(script)
  })
