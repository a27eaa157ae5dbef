import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { fromFixed7 } from '#db/positions.ts'
import { enterGate } from '#server/http/access/fair-gate.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { readPhoto } from '#server/photos/photo-files.ts'
import { drawMapPicture, type MapPin } from '#server/pictures/map-picture.ts'
import type { MapSource, World } from '#server/ports/world.ts'
import { findRestStart } from '#server/trackers/records/service.ts'
import { computeWindow, findValidLink } from './valid-link.ts'

const SIZE = { width: 1200, height: 630 }
/** Pictures of about 100 kB each. */
const MAX_CACHED_PICTURES = 100
const PICTURE_PATH = '/pub/trackers/picture.png'

const Query = z.object({ token: z.uuid() })

/** Tags for the head of a public link's page, from which chat programs create a preview. They show no more than the page itself. */
export async function buildLinkHead({ query, world }: Pick<FastifyRequest, 'query' | 'world'>): Promise<string> {
  const found = await findPreview(world, query)
  const tags = [tag('name', 'robots', 'noindex')]
  if (found) {
    const { link, trackers, newest } = found
    const names = trackers.map(({ name }) => name).join(', ')
    tags.push(
      tag('property', 'og:type', 'website'),
      tag('property', 'og:site_name', world.productName),
      tag('property', 'og:title', trackers.length === 1 ? names : link.label),
      tag('property', 'og:description', trackers.length === 1 ? link.label : names),
    )
    if (newest > 0 && world.map) {
      const url = `${world.origin}${PICTURE_PATH}?token=${link.uuid}&at=${newest}`
      tags.push(
        tag('property', 'og:image', url),
        tag('property', 'og:image:type', 'image/png'),
        tag('property', 'og:image:width', String(SIZE.width)),
        tag('property', 'og:image:height', String(SIZE.height)),
        tag('name', 'twitter:card', 'summary_large_image'),
      )
    }
  }
  return tags.join('')
}

const tag = (attribute: 'name' | 'property', name: string, content: string) =>
  `<meta ${attribute}="${name}" content="${escapeHtml(content)}">`

/** The valid link of a query's `token`, the last positions that it shows, and the time of the newest of them in seconds, 0 without any. */
async function findPreview({ db, clock, positions, graceDays }: World, query: unknown) {
  const parsed = Query.safeParse(query)
  if (!parsed.success) return undefined
  const now = clock.now()
  const shared = await findValidLink(db.read, parsed.data.token, now)
  if (!shared) return undefined
  const { from, to } = computeWindow(shared.link, now)
  const pins = []
  for (const tracker of shared.trackers) {
    const position = findRestStart(tracker, now, graceDays) ? null : await positions.believed.latest(tracker.id, from, to)
    if (position) pins.push({ tracker, position })
  }
  return { ...shared, pins, newest: Math.max(0, ...pins.map(({ position }) => position.time)) }
}

type Preview = NonNullable<Awaited<ReturnType<typeof findPreview>>>

async function drawPreview({ db }: World, map: MapSource, { pins }: Preview) {
  const drawn: MapPin[] = []
  for (const { tracker, position } of pins) {
    const { lat, lng, precision } = position
    const photo = await readPhoto(db.read, tracker.photo, 'small')
    drawn.push({ lat: fromFixed7(lat), lng: fromFixed7(lng), precision, kind: tracker.kind, photo })
  }
  return drawMapPicture(map, { ...SIZE, pins: drawn })
}

/**
 * Serves the map picture of a link preview: drawn once per link and position. Anybody may request pictures, so those of an account's links
 * have a queue of their own, and do not block the account's other requests.
 */
export function registerLinkPicture(app: FastifyInstance) {
  const pictures = new LRUCache<string, Buffer>({ max: MAX_CACHED_PICTURES })
  const drawing = new Map<string, Promise<Buffer>>()
  app.get(PICTURE_PATH, { config: { rateLimit: { max: 60, timeWindow: '1 minute' } } }, async (request, reply) => {
    const { query, world } = request
    const found = await findPreview(world, query)
    if (!found) request.refusedWith = 'invalid_link'
    if (!found || found.pins.length === 0 || !world.map) return reply.code(404).type('text/plain; charset=utf-8').send('No such picture\n')
    const shown = found.pins.map(({ tracker: { kind, photo }, position: { time, lat, lng } }) => [kind, photo, time, lat, lng].join())
    const key = [world.id, found.link.uuid, ...shown].join('/')
    const drawn = pictures.get(key)
    if (!drawn && !drawing.has(key)) {
      const { entered, leave } = enterGate(world.db, `links of account ${found.trackers[0]?.accountId}`)
      const { map } = world
      const draw = async () => {
        await entered
        return drawPreview(world, map, found)
      }
      drawing.set(
        key,
        draw().finally(() => {
          leave()
          drawing.delete(key)
        }),
      )
    }
    const picture = drawn ?? (await drawing.get(key)!)
    pictures.set(key, picture)
    return reply.header('cache-control', 'public, max-age=300').header('x-robots-tag', 'noindex').type('image/png').send(picture)
  })
}
