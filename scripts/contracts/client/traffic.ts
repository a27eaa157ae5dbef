import { type Readable, Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Breach } from '#contracts/lib/breaches.ts'
import { redactUrl } from '#server/mock/journal/redact.ts'
import { isApiPath } from '#server/mock/lib/endpoint-requests.ts'
import { findEndpoint } from './endpoints.ts'
import { findDisagreements, isBroken } from './findings.ts'
import { keepsRequest, redirectTarget } from './send.ts'

/** In bytes; larger bodies pass through unchecked. */
const MAX_BODY_BYTES = 16 * 1024 * 1024

/** A pass-through stream that also keeps a copy, which is null if the body was too long. */
export function createCopyStream() {
  const pieces: Buffer[] = []
  let length = 0
  const stream = new Transform({
    transform(piece: Buffer, _, done) {
      length += piece.length
      if (length <= MAX_BODY_BYTES) pieces.push(piece)
      done(null, piece)
    },
  })
  return { stream, copy: () => (length > MAX_BODY_BYTES ? null : Buffer.concat(pieces)) }
}

/** Copies a stream while another consumer reads it; null if it was too long or aborted. */
export async function copyStream(stream: Readable): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  let length = 0
  stream.on('data', (piece: Buffer) => {
    length += piece.length
    if (length <= MAX_BODY_BYTES) pieces.push(piece)
  })
  const isWhole = await new Promise<boolean>((resolve) => stream.once('end', () => resolve(true)).once('close', () => resolve(false)))
  return isWhole && length <= MAX_BODY_BYTES ? Buffer.concat(pieces) : null
}

const decoders: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
  '': async (bytes) => bytes,
  identity: async (bytes) => bytes,
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

export async function decodeBody(bytes: Buffer, encoding = ''): Promise<string | null> {
  return (
    (await decoders[encoding.toLowerCase()]?.(bytes).then(
      (text) => text.toString('utf8'),
      () => null,
    )) ?? null
  )
}

/** A request and response that passed the proxy; a body is undefined if there was none, null if it could not be read. */
export type PassedExchange = {
  method: string
  url: string
  requestBody: string | undefined
  status: number
  contentType: string
  location: string | undefined
  responseBody: string | null
}

export type Violation = {
  verdict: 'fail' | 'enum?' | 'drift+'
  side: Breach['side']
  method: string
  url: string
  call: string | null
  status: number
  path: string
  message: string
}

export function findViolations({ method, url, requestBody, status, contentType, location, responseBody }: PassedExchange): Violation[] {
  const [pathname = '', search] = url.split('?', 2)
  const call = findEndpoint(method === 'HEAD' ? 'GET' : method, pathname)
  const about = { method, url: redactUrl(url), call: call?.name ?? null, status }
  if (!call) {
    const isMissing = isApiPath(url) && method !== 'OPTIONS'
    return isMissing ? [{ ...about, verdict: 'fail', side: 'request', path: '', message: 'the API has no such endpoint' }] : []
  }
  const to = redirectTarget(status, location)
  if (to)
    return [
      { ...about, verdict: keepsRequest(method, status) ? 'drift+' : 'fail', side: 'response', path: 'redirect', message: `to ${to}` },
    ]
  if (responseBody === null) return []
  const answer = contentType.includes('json') ? parseJson(responseBody) : responseBody
  const query = Object.fromEntries(new URLSearchParams(search))
  const body = requestBody === undefined ? undefined : parseJson(requestBody)
  return findDisagreements(call.route, { method, query, body, status, contentType, answer }).map((one) => ({ ...about, ...one }))
}

export function createTally() {
  const counts = new Map<string, number>()
  let calls = 0
  let unread = 0
  let isClean = true
  return {
    add(violations: readonly Violation[], isRead: boolean) {
      calls++
      if (!isRead) unread++
      for (const { verdict, side, call, path, message } of violations) {
        if (isBroken(verdict)) isClean = false
        const key = [verdict, call ?? 'no endpoint', side, path, message].filter(Boolean).join(' ')
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
    },
    summary: () => ({ calls, unread, clean: isClean, violations: Object.fromEntries(counts) }),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
