import { once } from 'node:events'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { PAGES_PATH } from '#server/mock/stripe/api/provider.ts'
import { mountStripePages } from '#server/mock/stripe/pages/stripe-pages.ts'
import { type Clock, findFreePort, listen, systemClock, systemIds } from '#server/mock/stripe/port.ts'
import { createStripeFake } from '#server/mock/stripe/stripe-fake.ts'
import { type MockStripe, withWebhookQueue } from '#server/mock/stripe/webhooks.ts'
import { mountStripeApi } from './stripe-routes.ts'

type Options = { origin: string; clock?: Clock; send?: typeof fetch }
type Account = { stripe: MockStripe }

const TEST_KEY = /^(sk|rk)_test_\w+$/

/**
 * The fake Stripe alone, without a portal: every test key has an account of its own, which lives as long as the process. `play` runs due
 * work and sends events; the server calls it every second.
 */
export function createStripeServer({ origin, clock = systemClock, send }: Options) {
  const accounts = new Map<string, Account>()
  const app: FastifyInstance = Fastify({
    logger: false,
    forceCloseConnections: true,
    logController: new LogController({ disableRequestLogging: true }),
  })

  function openAccount(key: string): Account | undefined {
    if (!TEST_KEY.test(key)) return undefined
    const known = accounts.get(key)
    if (known) return known
    const fake = createStripeFake({ clock, ids: systemIds, origin })
    const stripe = withWebhookQueue(fake, { clock, seed: 1, ...(send && { send }) })
    const account = { stripe }
    accounts.set(key, account)
    return account
  }

  async function deliver({ stripe }: Account) {
    for (const event of stripe.takeEvents()) await stripe.sendToEndpoints(event)
  }

  async function play() {
    for (const account of accounts.values()) {
      await account.stripe.runUntil(clock.now())
      await account.stripe.sendRetries()
      await deliver(account)
    }
  }

  const empty = createStripeFake({ clock, ids: systemIds, origin })
  // Pages need no key, as with Stripe.
  mountStripePages(app, ({ url }) => {
    const [, id = ''] = new RegExp(`^${PAGES_PATH}/\\w+/([^/?]+)`).exec(url) ?? []
    const account = [...accounts.values()].find(({ stripe }) => stripe.hasPage(id))
    return account ? { stripe: account.stripe, deliver: () => deliver(account) } : { stripe: empty, deliver: async () => {} }
  })
  mountStripeApi(app, (key) => {
    const account = openAccount(key)
    return account && { stripe: account.stripe, deliver: () => deliver(account) }
  })
  return { app, play }
}

const TICK_MS = 1000

/** Serves the fake on a port of this machine until `stop` aborts; 0 is any free port. */
export async function serveStripe({ port: wanted, stop, say }: { port: number; stop: AbortSignal; say(text: string): void }) {
  const port = wanted || (await findFreePort('127.0.0.1'))
  const origin = `http://localhost:${port}`
  const { app, play } = createStripeServer({ origin })
  await listen(app, { host: '127.0.0.1', port })
  const timer = setInterval(() => void play().catch((error) => say(`${error}\n`)), TICK_MS)
  say(`The fake Stripe listens at ${origin}. Every key sk_test_… has an account of its own. Ctrl-C stops it.\n`)
  if (!stop.aborted) await once(stop, 'abort')
  clearInterval(timer)
  await app.close()
}
