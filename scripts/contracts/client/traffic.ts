import { type Readable, Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import {
  type Breach,
  errors,
  findEndpoint,
  findParams,
  isApiPath,
  listErrorCodes,
  type PassedExchange,
  type Route,
  redactUrl,
} from '#scripts/contracts/port.ts'
import { type Disagreement, findDisagreements } from './disagreements.ts'
import { type Finding, fail, isBroken } from './findings.ts'
import { withoutErrorBody } from './judge.ts'
import { keepsRequest, parseJson, redirectTarget } from './send.ts'

/** Maximum size of a body in bytes; larger ones pass through unchecked. */
const MAX_BODY_BYTES = 16 * 1024 * 1024

/** A pass-through stream that also saves a copy, which is null if the body was too long. */
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

export type Violation = Omit<Finding, 'call' | 'cause'> & {
  side: Breach['side']
  method: string
  url: string
  call: string | null
  status: number
}

type Inspected = Pick<PassedExchange, 'method' | 'url' | 'requestBody' | 'status' | 'contentType' | 'location' | 'responseBody'>

export function findViolations({ method, url, requestBody, status, contentType, location, responseBody }: Inspected): Violation[] {
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
  const params = findParams(call.route, pathname)
  const found = findDisagreements(call.route, { method, query, params, body, status, contentType, answer })
  const foreign = findForeignStatus(call.route, status, found)
  return [...(foreign.length > 0 ? withoutErrorBody(found) : found), ...foreign].map((one) => ({ ...one, ...about }))
}

/** An error that the contract does not declare here; a server error without a code of the contract is one too. */
function findForeignStatus(route: Route, status: number, found: readonly Disagreement[]): Disagreement[] {
  if (status < 400 || found.some(({ verdict }) => verdict === 'fail')) return []
  const isKnown = listErrorCodes(route).some((code) => errors[code] === status)
  if (isKnown && (status < 500 || found.length === 0)) return []
  return [{ ...fail('status', `${status} is no error of this call`), side: 'response' }]
}

type Sum = Pick<Violation, 'verdict' | 'side' | 'path' | 'message' | 'effect'> & { count: number; calls: string[] }

/** Counts the same violation of many calls as one. */
export function createTally() {
  const sums = new Map<string, Sum>()
  let calls = 0
  let unread = 0
  return {
    add(violations: readonly Violation[], isRead: boolean) {
      calls++
      if (!isRead) unread++
      for (const { verdict, side, call, path, message, effect } of violations) {
        const key = [verdict, side, path, message].join(' ')
        const sum = sums.get(key) ?? { verdict, side, path, message, ...(effect !== undefined && { effect }), count: 0, calls: [] }
        const name = call ?? 'no endpoint'
        sums.set(key, { ...sum, count: sum.count + 1, calls: sum.calls.includes(name) ? sum.calls : [...sum.calls, name] })
      }
    },
    summary() {
      const violations = [...sums.values()]
      return { calls, unread, clean: !violations.some(({ verdict }) => isBroken(verdict)), violations }
    },
  }
}
