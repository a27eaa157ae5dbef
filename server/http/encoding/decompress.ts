import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { Failure } from '#server/lib/errors.ts'

const DECOMPRESS = {
  gzip: promisify(zlib.gunzip),
  'x-gzip': promisify(zlib.gunzip),
  deflate: promisify(zlib.inflate),
  br: promisify(zlib.brotliDecompress),
}
type Encoding = keyof typeof DECOMPRESS

/** Routes of devices, whose batches compress to a tenth. */
const OF_DEVICES = /^(\/devices)?\/ingest\//

/**
 * Decompresses the bodies of device messages. The limit of the route applies to the compressed and to the decompressed body. Another
 * encoding is rejected with 415.
 */
export function registerDecompression(app: FastifyInstance) {
  app.addHook('preParsing', ({ headers, routeOptions }, _, payload, done) => {
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
    if (encoding === 'identity' || !OF_DEVICES.test(routeOptions.url ?? '')) return done(null, payload)
    if (!isKnown(encoding)) return done(new Failure('unsupported_media_type'))
    readDecompressed(payload, encoding, routeOptions.bodyLimit).then((body) => done(null, body), done)
  })
}

async function readDecompressed(payload: AsyncIterable<Buffer>, encoding: Encoding, limit: number) {
  const compressed = await readAll(payload, limit)
  const body = await decompress(encoding, compressed, limit)
  // Fastify compares the announced length with the received one.
  return Object.assign(Readable.from([body]), { receivedEncodedLength: compressed.length })
}

const isKnown = (encoding: string): encoding is Encoding => Object.hasOwn(DECOMPRESS, encoding)

async function readAll(payload: AsyncIterable<Buffer>, limit: number) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of payload) {
    size += chunk.length
    if (size > limit) throw new Failure('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function decompress(encoding: Encoding, compressed: Buffer, limit: number): Promise<Buffer> {
  try {
    return await DECOMPRESS[encoding](compressed, { maxOutputLength: limit })
  } catch (error) {
    if (error instanceof RangeError) throw new Failure('too_large', {}, { cause: error })
    throw new Failure('validation_error', { errors: { body: [`Not ${encoding}`] } }, { cause: error })
  }
}
