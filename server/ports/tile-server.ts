import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { Failure } from '#server/lib/errors.ts'
import type { MapSource } from './world.ts'

const TIMEOUT_MS = 4000
const MAX_TILE_BYTES = 1024 * 1024
/** At most 20 MB; tiles change rarely, but credits and coastlines do. */
const CACHE = { maxSize: 20 * MAX_TILE_BYTES, ttl: 6 * 3_600_000 }
/** As many connections as a browser would open to the server. */
const AT_ONCE = 6
const SUBDOMAINS = ['a', 'b', 'c']

/**
 * Tiles of the portal's tile server, for pictures of maps in mails, previews and forms. `template` is as of Leaflet: `{z}`, `{x}`, `{y}`,
 * and perhaps `{s}` and `{r}`. `drawTile` throws `unavailable` when the server does not respond with a picture.
 */
export function createTileServer(template: string, credit: string, userAgent: string): MapSource {
  const tiles = new LRUCache<string, Buffer>({ ...CACHE, sizeCalculation: ({ length }) => length || 1 })
  const limit = pLimit(AT_ONCE)
  return {
    attribution: toPlainCredit(credit),
    async drawTile(z, x, y) {
      const url = fillTemplate(template, { z, x, y })
      const tile = tiles.get(url) ?? (await limit(() => fetchTile(url, userAgent)))
      tiles.set(url, tile)
      return tile
    },
  }
}

const fillTemplate = (template: string, { z, x, y }: { z: number; x: number; y: number }) =>
  template.replace(/\{([zxysr])\}/g, (_, name: string) =>
    name === 's' ? SUBDOMAINS[(x + y) % SUBDOMAINS.length]! : name === 'r' ? '@2x' : String({ z, x, y }[name as 'z']),
  )

async function fetchTile(url: string, userAgent: string) {
  const headers = { accept: 'image/png,image/jpeg,image/webp,image/svg+xml', 'user-agent': userAgent }
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const isPicture = response.ok && (response.headers.get('content-type') ?? '').startsWith('image/')
    if (!isPicture) await response.body?.cancel()
    const bytes = isPicture && response.body ? await readAtMost(response.body, MAX_TILE_BYTES) : undefined
    if (bytes && bytes.length > 0) return bytes
  } catch {
    // The server is down, too slow, or the connection broke.
  }
  throw new Failure('unavailable')
}

/** Undefined when there are more bytes. */
async function readAtMost(body: ReadableStream<Uint8Array>, max: number) {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body) {
    length += part.length
    if (length > max) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** The credit may be HTML, which the portal's map shows; a picture shows its text. */
const toPlainCredit = (credit: string) =>
  credit
    .replace(/<[^>]*>/g, '')
    .replace(/&copy;/g, '©')
    .replace(/&amp;/g, '&')
    .trim()
