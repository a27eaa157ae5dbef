import { type Breach, breachesOf } from '#contracts/lib/breaches.ts'
import { isOfApi } from '#server/mock/calls/names.ts'
import { redactUrl } from '#server/mock/journal/redact.ts'
import { callAt } from './calls.ts'
import { keepsCall, sendsTo } from './redirect.ts'
import { strangeValues } from './strange-values.ts'
import { isBroken } from './verdict.ts'

/** A call as it went through; a body is undefined when there was none, null when it could not be read. */
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

/** Where a call that went through breaks the contract, on either side. */
export function violationsIn({ method, url, asked, status, contentType, location, said }: Passed): Violation[] {
  const { pathname, searchParams } = new URL(url, 'http://proxy')
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
  const query = Object.fromEntries(searchParams)
  const breaches = breachesOf(call.route, { method, query, body: asked && parsed(asked), status, contentType, answer })
  const schema = call.route.response[status as keyof typeof call.route.response]
  const strange = schema ? strangeValues(schema, answer) : []
  const verdictOf = ({ side, kind, path }: Breach) =>
    kind === 'unknown' ? 'drift+' : side === 'response' && strange.some((one) => one.path === path && !one.isOpen) ? 'enum?' : 'fail'
  return [
    ...breaches.map(
      ({ side, kind, path, message }) => ({ ...about, verdict: verdictOf({ side, kind, path, message }), side, path, message }) as const,
    ),
    ...strange
      .filter(({ isOpen }) => isOpen)
      .map(({ path, message }) => ({ ...about, verdict: 'drift+', side: 'response', path, message }) as const),
  ]
}

/** Counts what went through and what of it was wrong, each violation once. */
export function createTally() {
  const counts = new Map<string, number>()
  let calls = 0
  let isClean = true
  return {
    add(violations: readonly Violation[]) {
      calls++
      for (const { verdict, side, call, path, message } of violations) {
        if (isBroken(verdict)) isClean = false
        const key = [verdict, call ?? 'no call', side, path, message].filter(Boolean).join(' ')
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
    },
    summary: () => ({ calls, clean: isClean, violations: Object.fromEntries(counts) }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
