import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Gauge } from 'prom-client'
import type { today as contract, Today } from '#contracts/operator/today.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { World } from '#server/ports/world.ts'
import { countToday } from './today.store.ts'

export const today: Handlers<typeof contract> = { get: (_, { db, clock }) => countToday(db.read, clock.now()) }

const PERIODS = ['day', 'week', 'month'] as const
const EVENTS = ['sign_ups', 'activations', 'renewals', 'ended'] as const

/** Serves the business figures and what waits in `/metrics`. They are counted at most once a minute, however often they are read. */
export function registerBusinessMetrics(app: FastifyInstance) {
  let world: World | undefined
  const read = readEachMinute()
  const add = (name: string, help: string, labelNames: string[], set: (gauge: Gauge, counts: Today) => void) =>
    new Gauge({
      ...{ name, help, labelNames },
      registers: [app.metrics],
      async collect() {
        try {
          if (world) set(this, await read(world))
        } catch {
          // If the database is unreachable, the other metrics are still served.
        }
      },
    })
  add('business_waiting', 'What waits for staff, by kind', ['what'], (gauge, { waiting }) => {
    for (const [what, value] of Object.entries(waiting)) gauge.set({ what }, value)
  })
  add('business_events', 'What happened in the last day, week and month', ['what', 'period'], (gauge, { figures }) => {
    for (const what of EVENTS) for (const period of PERIODS) gauge.set({ what, period }, figures[what][period])
  })
  add('business_active_trackers', 'Trackers with a running subscription', [], (gauge, { figures }) => gauge.set(figures.active))
  add('business_unconfirmed_users', 'Users whose e-mail address is not confirmed', [], (gauge, { figures }) =>
    gauge.set(figures.unconfirmed),
  )
  app.addHook('onRoute', (route) => {
    if (route.url !== '/metrics') return
    const remember = async (request: FastifyRequest) => {
      world = request.world
    }
    route.preHandler = [route.preHandler ?? [], remember].flat()
  })
}

function readEachMinute() {
  let last: { db: World['db']; at: number; counts: Promise<Today> } | undefined
  return ({ db, clock }: World): Promise<Today> => {
    const now = clock.now()
    if (last?.db !== db || Math.abs(now.getTime() - last.at) >= MINUTE_MS)
      last = { db, at: now.getTime(), counts: countToday(db.read, now) }
    last.counts.catch(() => {
      last = undefined
    })
    return last.counts
  }
}
