import type { FastifyInstance } from 'fastify'

/** Where the card provider tells what happened (E-84). */
export function webhook(_app: FastifyInstance) {}
