import { REQUEST_TIMEOUT_MS } from '#contracts/lib/constants.ts'
import type { Io } from './io.ts'

/** Returns a function that resolves when the next request may start, at most `rps` times a second. */
export function createPace(rps: number, { now, pause }: Pick<Io, 'now' | 'pause'>) {
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
export const keepsCall = (method: string, status: number) => method === 'GET' || method === 'HEAD' || status === 307 || status === 308

export const sendsTo = (status: number, location: string | null | undefined) =>
  status >= 300 && status < 400 && location ? location : undefined

/** The backend sent no response. */
export class Unreachable extends Error {}

export type Sent = { method: string; url: URL; headers: Record<string, string>; body: string | undefined }

/** JSON bodies are parsed, streams are empty. `redirects` lists those that were followed, as a browser would. */
export type Answer = {
  sent: Sent
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

const MOST_REDIRECTS = 5

export type Send = (sent: Sent) => Promise<Answer>

type Parts = { io: Io; turn: () => Promise<void>; record: (answer: Answer) => void }

/** Creates a function that sends requests at the permitted rate. Throws `Unreachable`. */
export const createSend = ({ io, turn, record }: Parts): Send => {
  const once = async (sent: Sent): Promise<Answer> => {
    await turn()
    const at = io.now()
    const start = performance.now()
    const { method, headers, body } = sent
    try {
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
      const response = await io.fetch(sent.url, { method, headers, redirect: 'manual', signal, ...(body !== undefined && { body }) })
      const text = await textOf(response)
      const contentType = response.headers.get('content-type') ?? ''
      const answer = { sent, at, ms: performance.now() - start, status: response.status, headers: response.headers, contentType, text }
      record({ ...answer, body: text, redirects: [] })
      return { ...answer, body: contentType.includes('json') ? parsed(text) : text, redirects: [] }
    } catch (error) {
      throw new Unreachable(reasonOf(error), { cause: error })
    }
  }
  return async (sent) => {
    let answer = await once(sent)
    const redirects: Redirect[] = []
    for (let next = nextOf(answer); next && redirects.length < MOST_REDIRECTS; next = nextOf(answer)) {
      redirects.push({ status: answer.status, to: next.url })
      answer = await once(next)
    }
    return { ...answer, sent, redirects }
  }
}

/** Event streams never end, so their body is cancelled. */
async function textOf(response: Response) {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text()
  await response.body?.cancel()
  return ''
}

/** Returns the redirected request as a browser would send it, unless that loses the body. */
function nextOf({ status, headers, sent }: Answer): Sent | undefined {
  const to = sendsTo(status, headers.get('location'))
  if (!to || !keepsCall(sent.method, status)) return undefined
  const url = new URL(to, sent.url)
  const { authorization, ...others } = sent.headers
  return { ...sent, url, headers: url.origin === sent.url.origin ? sent.headers : others }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function reasonOf(error: unknown): string {
  const { cause, message, name } = error as Error
  if (name === 'TimeoutError') return `no answer within ${REQUEST_TIMEOUT_MS / 1000} s`
  return cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code || message : message
}
