import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import type { DbReader } from '#db/db.ts'
import { removePageHeaders } from '#server/http/headers.ts'
import { findPhoto } from './photos.store.ts'

const Params = z.object({ hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)), file: z.enum(['large.jpg', 'small.jpg']) })

/**
 * Serves photos by their hash, so a browser never requests them twice; also to pages of another origin, such as a portal on a static host.
 */
export function registerPhotoFiles(app: FastifyInstance) {
  app.get('/photos/:hash/:file', { config: { rateLimit: { max: 600, timeWindow: '1 minute' } } }, async ({ params, world }, reply) => {
    const parsed = Params.safeParse(params)
    const content = parsed.success
      ? await findPhoto(world.db.read, parsed.data.hash, parsed.data.file === 'large.jpg' ? 'large' : 'small')
      : null
    if (!content) return reply.code(404).type('text/plain; charset=utf-8').send('No such photo\n')
    removePageHeaders(reply)
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('x-robots-tag', 'noindex')
      .type('image/jpeg')
      .send(content)
  })
}

/** The JPEG of a tracker's photo by its hash; undefined if the tracker has none. */
export const readPhoto = async (db: DbReader, hash: string | null | undefined, size: 'large' | 'small') =>
  hash ? findPhoto(db, hash, size) : undefined
