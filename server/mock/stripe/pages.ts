import type { FastifyInstance } from 'fastify'
import type { MockWorlds } from '#server/mock/worlds.ts'

/** The provider's hosted pages: checkout and billing portal, for test cards only. */
export function stripePages(_app: FastifyInstance, _worlds: MockWorlds) {}
