import type { FastifyInstance } from 'fastify'
import { formatInstant } from '#contracts/rules/time.ts'
import { keep } from '#server/mock/worlds/keep-snapshots.ts'
import type { Shares } from './shares.ts'
import type { Visits } from './visits.ts'

/** Mounts the endpoint that saves a copy of the visitor's world and returns its link. */
export const mountShare = (app: FastifyInstance, visits: Visits, shares: Shares) =>
  app.post('/demo/share', async (request, reply) => {
    const world = visits.worlds.get(request.world.id)!
    const { id, endsAt } = shares.add(await keep(world), visits.addressOf(world.id)!)
    return reply.code(201).send({ url: `${world.origin}/demo/s/${id}`, expires_at: formatInstant(endsAt) })
  })
