import type { Breach } from '#contracts/lib/breaches.ts'
import { redactUrl } from '#server/mock/journal/redact.ts'
import { isOfApi } from '#server/mock/lib/names.ts'
import { callAt } from './contracts.calls.ts'
import { disagreements } from './disagreements.ts'
import { keepsCall, sendsTo } from './redirect.ts'
import { isBroken } from './verdict.ts'

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
