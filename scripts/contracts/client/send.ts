import { REQUEST_TIMEOUT_MS } from '#scripts/contracts/port.ts'
import type { Io } from './io.ts'

/** Returns a function that resolves when the next request may start, at most `rps` times a second. */
export function createRateLimit(rps: number, { now, pause }: Pick<Io, 'now' | 'pause'>) {
  const gap = 1000 / rps
  let next = 0
  return async () => {
    const at = now().getTime()
    const wait = next - at
    next = Math.max(next, at) + gap
    if (wait > 0) await pause(wait)
  }
}

/** Whether a browser repeats the same request after a redirect; otherwise it sends a `GET` without a body. */
export const keepsRequest = (method: string, status: number) => method === 'GET' || method === 'HEAD' || status === 307 || status === 308

export const redirectTarget = (status: number, location: string | null | undefined) =>
  status >= 300 && status < 400 && location ? location : undefined

export class Unreachable extends Error {}

export type SentRequest = { method: string; url: URL; headers: Record<string, string>; body: string | undefined }

/** JSON bodies are parsed, streams are empty. `redirects` lists the followed redirects. */
export type BackendResponse = {
  sent: SentRequest
  at: Date
  ms: number
  status: number
  headers: Headers
  contentType: string
  text: string
  body: unknown
  redirects: Redirect[]
}

type Redirect = { status: number; to: URL }

const MAX_REDIRECTS = 5

export type Sender = (sent: SentRequest) => Promise<BackendResponse>

type SenderPorts = { io: Io; waitForSlot: () => Promise<void>; record: (response: BackendResponse) => void }

export const createSender = ({ io, waitForSlot, record }: SenderPorts): Sender => {
  const sendOnce = async (sent: SentRequest): Promise<BackendResponse> => {
    await waitForSlot()
    const at = io.now()
    const start = performance.now()
    const { method, headers, body } = sent
    try {
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
      const fetched = await io.fetch(sent.url, { method, headers, redirect: 'manual', signal, ...(body !== undefined && { body }) })
      const text = await readText(fetched)
      const contentType = fetched.headers.get('content-type') ?? ''
      const response = { sent, at, ms: performance.now() - start, status: fetched.status, headers: fetched.headers, contentType, text }
      record({ ...response, body: text, redirects: [] })
      return { ...response, body: contentType.includes('json') ? parseJson(text) : text, redirects: [] }
    } catch (error) {
      throw new Unreachable(describeError(error), { cause: error })
    }
  }
  return async (sent) => {
    let response = await sendOnce(sent)
    const redirects: Redirect[] = []
    for (let next = followRedirect(response); next && redirects.length < MAX_REDIRECTS; next = followRedirect(response)) {
      redirects.push({ status: response.status, to: next.url })
      response = await sendOnce(next)
    }
    return { ...response, sent, redirects }
  }
}

/** Event streams never end, so their body is cancelled. */
async function readText(response: Response) {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text()
  await response.body?.cancel()
  return ''
}

/** Returns the redirected request as a browser would send it, unless that loses the body. */
function followRedirect({ status, headers, sent }: BackendResponse): SentRequest | undefined {
  const to = redirectTarget(status, headers.get('location'))
  if (!to || !keepsRequest(sent.method, status)) return undefined
  const url = new URL(to, sent.url)
  const { authorization, ...others } = sent.headers
  return { ...sent, url, headers: url.origin === sent.url.origin ? sent.headers : others }
}

/** The text itself if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function describeError(error: unknown): string {
  const { cause, message, name } = error as Error
  if (name === 'TimeoutError') return `no response within ${REQUEST_TIMEOUT_MS / 1000} s`
  return cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code || message : message
}
