import { type Readable, Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Breach } from '#contracts/lib/breaches.ts'
import { redactUrl } from '#server/mock/journal/redact.ts'
import { isOfApi } from '#server/mock/lib/names.ts'
import { callAt } from './endpoints.ts'
import { disagreements, isBroken } from './findings.ts'
import { keepsCall, sendsTo } from './send.ts'

/** In bytes; larger bodies pass through unchecked. */
const LONGEST = 16 * 1024 * 1024

/** A pass-through stream that also keeps a copy, which is null if the body was too long. */
export function copying() {
  const pieces: Buffer[] = []
  let length = 0
  const stream = new Transform({
    transform(piece: Buffer, _, done) {
      length += piece.length
      if (length <= LONGEST) pieces.push(piece)
      done(null, piece)
    },
  })
  return { stream, copy: () => (length > LONGEST ? null : Buffer.concat(pieces)) }
}

/** Copies a stream while another consumer reads it; null if it was too long or aborted. */
export async function copyOf(stream: Readable): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  let length = 0
  stream.on('data', (piece: Buffer) => {
    length += piece.length
    if (length <= LONGEST) pieces.push(piece)
  })
  const isWhole = await new Promise<boolean>((resolve) => stream.once('end', () => resolve(true)).once('close', () => resolve(false)))
  return isWhole && length <= LONGEST ? Buffer.concat(pieces) : null
}

const decoders: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
  '': async (bytes) => bytes,
  identity: async (bytes) => bytes,
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** Decompresses a body; null if the encoding is unknown or the bytes are damaged. */
export async function textOf(bytes: Buffer, encoding = ''): Promise<string | null> {
  return (
    (await decoders[encoding.toLowerCase()]?.(bytes).then(
      (text) => text.toString('utf8'),
      () => null,
    )) ?? null
  )
}

/** A request and response that passed the proxy; a body is undefined if there was none, null if it could not be read. */
export type Passed = {
  method: string
  url: string
  asked: string | undefined
  status: number
  contentType: string
  location: string | undefined
  said: string | null
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

/** Contract violations of a request and its response. */
export function violationsIn({ method, url, asked, status, contentType, location, said }: Passed): Violation[] {
  const [pathname = '', search] = url.split('?', 2)
  const call = callAt(method === 'HEAD' ? 'GET' : method, pathname)
  const about = { method, url: redactUrl(url), call: call?.name ?? null, status }
  if (!call) {
    const isMissing = isOfApi(url) && method !== 'OPTIONS'
    return isMissing ? [{ ...about, verdict: 'fail', side: 'request', path: '', message: 'the API has no such call' }] : []
  }
  const to = sendsTo(status, location)
  if (to)
    return [{ ...about, verdict: keepsCall(method, status) ? 'drift+' : 'fail', side: 'response', path: 'redirect', message: `to ${to}` }]
  if (said === null) return []
  const answer = contentType.includes('json') ? parsed(said) : said
  const query = Object.fromEntries(new URLSearchParams(search))
  const body = asked === undefined ? undefined : parsed(asked)
  return disagreements(call.route, { method, query, body, status, contentType, answer }).map((one) => ({ ...about, ...one }))
}

/** Counts requests, unreadable bodies and distinct violations. */
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
        const key = [verdict, call ?? 'no call', side, path, message].filter(Boolean).join(' ')
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
    },
    summary: () => ({ calls, unread, clean: isClean, violations: Object.fromEntries(counts) }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
