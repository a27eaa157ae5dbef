import type { Page } from '@playwright/test'
import { BACKENDS, type BackendName, type Habits } from '#e2e/foreign-backend/habits.ts'
import { createPortalConfig } from '#e2e/foreign-backend/portal-config.ts'
import { type ForeignBackend, startForeignBackend } from '#e2e/foreign-backend/server.ts'
import { createToken } from '#e2e/foreign-backend/state.ts'
import { expect, withoutWorld } from '#e2e/portal.ts'
import { startStaticHost } from '#e2e/static-host.ts'

type Foreign = {
  backendName: BackendName
  /** Variations in which the backend differs from the default. */
  habits: Partial<Habits>
  backend: ForeignBackend
  /** Origin of the portal. */
  portal: string
  /** Opens an address of the portal as the first user, or without a session. */
  open(path: string, as?: 'ada' | 'nobody'): Promise<void>
}

/** Gives each test a backend of its own, and the built portal at another origin. */
export const test = withoutWorld.extend<Foreign>({
  backendName: ['drf', { option: true }],
  habits: [{}, { option: true }],
  backend: async ({ backendName, habits }, use) => {
    await using backend = await startForeignBackend(backendName, { habits })
    await use(backend)
  },
  portal: async ({ backend }, use) => {
    await using host = await startStaticHost(createPortalConfig(backend))
    await use(host.origin)
  },
  open: async ({ page, backend, portal }, use) => {
    let isSignedIn = false
    await use(async (path, as = 'ada') => {
      if (as === 'ada' && !isSignedIn) {
        const token = createToken()
        backend.state.sessions.set(token, 1)
        await page.addInitScript((value) => {
          // Once, so that a page opened after signing out has no session.
          if (sessionStorage.getItem('started') === null && localStorage.getItem('started') === null) localStorage.setItem('token', value)
          localStorage.setItem('started', '1')
        }, token)
        isSignedIn = true
      }
      await page.goto(portal + path)
    })
  },
})

export { expect }

export const EVERY = Object.keys(BACKENDS) as BackendName[]
/** Takes the same journey with each of the backends. */
export function over(names: readonly BackendName[], title: string, journey: Parameters<typeof test>[2]) {
  for (const backendName of names) {
    test.describe(backendName, () => {
      test.use({ backendName })
      test(`${title}, over the backend ${backendName}`, journey)
    })
  }
}

export const findTracker = ({ state }: ForeignBackend, name: string) => state.trackers.find((tracker) => tracker.name === name)!

/** The card that opens when a tracker is chosen in the list. */
export async function openCard(page: Page, name: string) {
  await page.getByRole('textbox', { name: 'Search name, tag, address' }).fill(name)
  await page
    .getByRole('link', { name: new RegExp(name) })
    .first()
    .click()
  return page.getByRole('article', { name })
}

/** Replaces the provider's script, which leads to its page. */
export async function replaceCardProvider(page: Page) {
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `window.Stripe = (key) => ({ redirectToCheckout: ({ sessionId }) => { location.href = 'https://checkout.stripe.com/pay/' + key + '/' + sessionId; return new Promise(() => {}) } })`,
    }),
  )
  await page.route('https://checkout.stripe.com/**', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Card</h1>' }))
}
