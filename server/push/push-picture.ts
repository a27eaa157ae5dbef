import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { HOUR_MS } from '#contracts/rules/time.ts'
import { KINDS } from '#contracts/rules/tracking/tracker.ts'
import type { PushSpot } from '#db/schema/messages.ts'
import { enterGate } from '#server/http/access/fair-gate.ts'
import { open, seal } from '#server/lib/secrets.ts'
import { drawMapPicture } from '#server/pictures/map-picture.ts'
import type { World } from '#server/ports/world.ts'

/** Below `/users/`, so that every proxy passes it to the API. */
const PICTURE_PATH = '/users/push/picture.jpg'
/** Twice the size in which Chromium shows it. */
const SIZE = { width: 720, height: 360, format: 'jpeg' } as const
/** Links end with the notifications, which are useless later. */
const LINK_MS = 6 * HOUR_MS
const OWNER = 'pictures of notifications'

/**
 * The path of a map for a notification, which a service worker fetches without a session. The place is encrypted in it, so nothing is stored;
 * undefined if the server draws no maps.
 */
export function buildPicturePath({ map, secondFactor: { key } }: Pick<World, 'map' | 'secondFactor'>, spot: PushSpot, now: Date) {
  if (!map) return undefined
  const text = JSON.stringify({ ...spot, until: now.getTime() + LINK_MS })
  return `${PICTURE_PATH}?token=${seal(text, { key, owner: OWNER, iv: randomBytes(12).toString('hex') })}`
}

const Query = z.object({ token: z.string().check(z.maxLength(1000)) })

function readSpot({ clock, secondFactor: { key } }: World, query: unknown) {
  const parsed = Query.safeParse(query)
  if (!parsed.success) return undefined
  try {
    const spot = JSON.parse(open(parsed.data.token, { key, owner: OWNER })) as PushSpot & { until: number }
    return spot.until > clock.now().getTime() ? spot : undefined
  } catch {
    return undefined
  }
}

/** Serves the maps of notifications; those of an account are drawn one after the other. */
export function registerPushPicture(app: FastifyInstance) {
  app.get(PICTURE_PATH, { config: { rateLimit: { max: 60, timeWindow: '1 minute' } } }, async ({ query, world }, reply) => {
    const spot = readSpot(world, query)
    if (!spot || !world.map) return reply.code(404).type('text/plain; charset=utf-8').send('No such picture\n')
    const { entered, leave } = enterGate(world.db, `notifications of account ${spot.accountId}`)
    try {
      await entered
      const pin = { ...spot, kind: pickListed(KINDS, spot.kind, 'other') }
      const picture = await drawMapPicture(world.map, { ...SIZE, pins: [pin] })
      return reply.header('cache-control', 'private, max-age=3600').type('image/jpeg').send(picture)
    } finally {
      leave()
    }
  })
}
