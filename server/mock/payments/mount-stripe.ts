import type { FastifyInstance } from 'fastify'
import { isSameSecret } from '#server/lib/secrets.ts'
import { type MockStripe, mountStripeApi, mountStripePages } from '#server/mock/stripe/index.ts'
import type { World } from '#server/ports/world.ts'
import { deliverEvents } from './deliver-events.ts'

type StripeWorlds = { get(id: string): (World & { stripe: MockStripe }) | undefined }

/** Mounts the hosted pages of the fake Stripe; each shows the account of the request's world. */
export function mountWorldStripePages(app: FastifyInstance, worlds: StripeWorlds) {
  mountStripePages(app, ({ world }) => {
    const { stripe } = worlds.get(world.id)!
    return { stripe, deliver: () => deliverEvents(app, world, stripe) }
  })
}

/** Mounts the API of the fake Stripe in `api`, for programs that have the key of a world; `app` has the portal's webhook. */
export function mountWorldStripeApi(app: FastifyInstance, api: FastifyInstance, worlds: StripeWorlds, token: string | undefined) {
  mountStripeApi(api, (key) => {
    const world = findStripeWorld(key, worlds, token)
    return world && { stripe: world.stripe, deliver: () => deliverEvents(app, world, world.stripe) }
  })
}

/**
 * The world that a key belongs to: `sk_test_w_<world>`, and with a control token `sk_test_w_<world>_<token>`. Names of worlds have no
 * underscore.
 */
export function findStripeWorld<T>(key: string, worlds: { get(id: string): T | undefined }, token: string | undefined): T | undefined {
  const [, id = '', secret = ''] = /^sk_test_w_([a-z0-9-]+)(?:_(.+))?$/.exec(key) ?? []
  return isSameSecret(secret, token ?? '') ? worlds.get(id) : undefined
}
