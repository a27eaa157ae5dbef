import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { computeEtag, sendNotModified } from '#server/http/encoding/etag.ts'
import { MAX_ZOOM, type Tiles } from './render.ts'

const Whole = z.coerce.number().check(z.int(), z.nonnegative())
const Coordinates = z.object({ z: z.coerce.number().check(z.int(), z.nonnegative(), z.maximum(MAX_ZOOM)), x: Whole, y: Whole })
const Query = z.object({ theme: z._default(z.enum(['light', 'dark']), 'light') })

/**
 * Serves `GET /mock/tiles/{z}/{x}/{y}.svg?theme=light|dark`: an SVG of 256 pixels, cacheable for a day, 304 for an unchanged
 * `If-None-Match`. Unknown coordinates or themes get a 404 in plain text.
 */
export function mountTileRoutes(app: FastifyInstance, tiles: Tiles) {
  app.get<{ Params: { z: string; x: string; file: string } }>('/mock/tiles/:z/:x/:file', async (request, reply) => {
    const tile = parseTile(request.params)
    const query = Query.safeParse(request.query)
    if (!tile || !query.success) {
      return reply.code(404).type('text/plain; charset=utf-8').send('No such tile: /mock/tiles/{z}/{x}/{y}.svg?theme=light|dark\n')
    }
    const svg = tiles.render(tile.z, tile.x, tile.y, query.data.theme)
    reply.header('cache-control', 'public, max-age=86400')
    if (sendNotModified(reply, computeEtag(svg), request.headers['if-none-match'])) return reply
    return reply.type('image/svg+xml').send(svg)
  })
}

function parseTile({ z, x, file }: { z: string; x: string; file: string }) {
  const [, y] = /^(\d+)\.svg$/.exec(file) ?? []
  if (y === undefined || !/^\d+$/.test(z) || !/^\d+$/.test(x)) return null
  const tile = Coordinates.safeParse({ z, x, y })
  return tile.success && tile.data.x < 2 ** tile.data.z && tile.data.y < 2 ** tile.data.z ? tile.data : null
}
