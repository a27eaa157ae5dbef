import { pipeline } from 'node:stream'
import { promisify } from 'node:util'
import zlib, { constants } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** In the order of preference among equals. */
const ENCODINGS = ['br', 'gzip'] as const
type Encoding = (typeof ENCODINGS)[number]
type Body = string | Buffer | NodeJS.ReadableStream

/** In bytes; a smaller response fits into one packet either way. */
const WORTH_IT = 1024
const TEXT = /^(text\/(?!event-stream)|application\/([\w.-]+\+)?(json|xml|javascript)\b|application\/vnd\.whereabouts\.track|image\/svg)/
/** Responses with tokens are not compressed, so that their length reveals nothing about guesses (BREACH). */
const SECRET = /\/auth\//

/**
 * Compresses text with an encoding that the client accepts: brotli or gzip. Event streams, short bodies, parts of files and compressed
 * files are unchanged. Must be registered after hooks that change bodies.
 */
export function registerCompression(app: FastifyInstance) {
  app.addHook('onSend', (request, reply, payload: Body | null | undefined, done) => {
    if (!payload || SECRET.test(request.url) || !isWorthIt(reply, payload)) return done(null, payload)
    addVary(reply)
    const encoding = negotiate(request.headers['accept-encoding'] ?? '', [...ENCODINGS]) as Encoding | null
    if (!encoding) return done(null, payload)
    reply.header('content-encoding', encoding).removeHeader('content-length').removeHeader('accept-ranges')
    if (typeof payload === 'string') compressors[encoding].once(Buffer.from(payload)).then((bytes) => done(null, bytes), done)
    else if (Buffer.isBuffer(payload)) compressReadyMade(payload, encoding).then((bytes) => done(null, bytes), done)
    else done(null, request.method === 'HEAD' ? payload : compressStream(payload, encoding, reply))
  })
}

/** Adds to the response that it depends on `Accept-Encoding`; also needed on a 304, which stands for the response it confirms. */
export function addVary(reply: FastifyReply) {
  const vary = reply.getHeader('vary')
  if (vary === undefined) reply.header('vary', 'accept-encoding')
  else if (!/accept-encoding/i.test(String(vary))) reply.header('vary', `${vary}, accept-encoding`)
}

function isWorthIt(reply: FastifyReply, payload: Body) {
  const { statusCode } = reply
  if (statusCode === 206 || reply.getHeader('content-encoding') !== undefined) return false
  const size =
    typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : Number(reply.getHeader('content-length') ?? WORTH_IT)
  return size >= WORTH_IT && TEXT.test(String(reply.getHeader('content-type')))
}

const [brotli, gzip] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)]
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, BROTLI_OPERATION_FLUSH, Z_SYNC_FLUSH } = constants

/**
 * Qualities chosen by measurement: brotli 4 takes less time than gzip 6 and produces less. All run on a thread of the pool. Streams are
 * flushed after each chunk, so that everything written arrives.
 */
const compressors = {
  br: {
    once: (body: Buffer) => brotli(body, { params: { [BROTLI_PARAM_QUALITY]: 4, [BROTLI_PARAM_SIZE_HINT]: body.length } }),
    readyMade: (body: Buffer) => brotli(body, { params: { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_SIZE_HINT]: body.length } }),
    stream: () => zlib.createBrotliCompress({ flush: BROTLI_OPERATION_FLUSH, params: { [BROTLI_PARAM_QUALITY]: 4 } }),
  },
  gzip: {
    once: (body: Buffer) => gzip(body, { level: 4 }),
    readyMade: (body: Buffer) => gzip(body, { level: 6 }),
    stream: () => zlib.createGzip({ flush: Z_SYNC_FLUSH, level: 4 }),
  },
}

const compressed = new WeakMap<Buffer, Partial<Record<Encoding, Promise<Buffer>>>>()

/** A buffer that is sent again, such as a cached list, is compressed once. */
function compressReadyMade(body: Buffer, encoding: Encoding) {
  const known = compressed.get(body)?.[encoding]
  const bytes = known ?? compressors[encoding].readyMade(body)
  if (!known) compressed.set(body, { ...compressed.get(body), [encoding]: bytes })
  return bytes
}

/** If nothing was sent before an error, the plain error body replaces the stream; otherwise Fastify closes the connection. */
function compressStream(body: NodeJS.ReadableStream, encoding: Encoding, reply: FastifyReply) {
  body.once('error', () => reply.raw.headersSent || reply.removeHeader('content-encoding'))
  return pipeline(body, compressors[encoding].stream(), () => undefined)
}
