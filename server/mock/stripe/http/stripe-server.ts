import { once } from 'node:events'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { findFreePort, listen } from '#server/http/process.ts'
import { createEvents } from '#server/mock/events/events.ts'
import { PAGES_PATH } from '#server/mock/stripe/api/provider.ts'
import { mountStripePages } from '#server/mock/stripe/pages/stripe-pages.ts'
import { createStripeFake } from '#server/mock/stripe/stripe-fake.ts'
import { type MockStripe, withWebhookQueue } from '#server/mock/stripe/webhooks.ts'
import { type Clock, systemClock } from '#server/ports/clock.ts'
import { systemIds } from '#server/ports/ids.ts'
import type { World } from '#server/ports/world.ts'
import { mountStripeApi } from './stripe-routes.ts'

type Options = { origin: string; clock?: Clock; send?: typeof fetch }
type Account = { id: string; stripe: MockStripe }

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
  app.decorateRequest('world')

  function openAccount(key: string): Account | undefined {
    if (!TEST_KEY.test(key)) return undefined
    const known = accounts.get(key)
    if (known) return known
    const fake = createStripeFake({ clock, ids: systemIds, origin })
    const stripe = withWebhookQueue(fake, { clock, events: createEvents(), seed: 1, ...(send && { send }) })
    const account = { id: key, stripe }
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

  /** The account whose page is visited; as with Stripe, pages need no key. */
  app.addHook('onRequest', async (request) => {
    const [, id = ''] = new RegExp(`^${PAGES_PATH}/\\w+/([^/?]+)`).exec(request.url) ?? []
    const account = [...accounts.values()].find(({ stripe }) => stripe.hasPage(id))
    request.world = { id: account?.id ?? '' } as World
  })
  const empty = createStripeFake({ clock, ids: systemIds, origin })
  mountStripePages(
    app,
    ({ id }) => accounts.get(id)?.stripe ?? empty,
    async ({ id }) => {
      const account = accounts.get(id)
      if (account) await deliver(account)
    },
  )
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
