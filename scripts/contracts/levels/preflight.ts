import type { Backend } from '#scripts/contracts/client/backend.ts'
import { callNamed } from '#scripts/contracts/client/contracts.calls.ts'
import { codeOf } from '#scripts/contracts/client/judge.ts'
import type { Preflight } from '#scripts/contracts/client/preflight-names.ts'
import type { Run } from '#scripts/contracts/client/run.ts'
import { Unreachable } from '#scripts/contracts/client/send.ts'
import { drift, type Finding, fail } from '#scripts/contracts/client/verdict.ts'
import { cors } from './cors.ts'

/** Clock difference from which the portal shows wrong times. */
const SKEW_SECONDS = 60
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\]|.*\.localhost)$/

type Check = (run: Run) => Promise<Finding[] | string>

/** Checks what every request of a portal depends on. A check returns a text when it was skipped. */
export async function preflight(run: Run) {
  for (const [name, check] of Object.entries(checks)) {
    if (!run.wants(name)) continue
    const said = { level: 'preflight', name, title: '' } as const
    try {
      const found = await check(run)
      if (typeof found === 'string') run.report({ ...said, verdict: 'skipped', findings: [], note: found })
      else run.report({ ...said, findings: found, note: '' })
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      run.report({ ...said, verdict: 'unreachable', findings: [], note: error.message })
    }
  }
}

const checks: Record<Preflight, Check> = {
  /** An invalid certificate has already ended the run at sign-in. */
  async 'preflight.tls'({ backend }) {
    const { protocol, hostname } = new URL(backend.base)
    if (protocol === 'https:') return []
    return LOOPBACK.test(hostname) ? 'not encrypted, on this machine' : [fail('', 'not encrypted: a portal on https may not call it')]
  },
  'preflight.cors': async ({ backend, options: { origin } }) =>
    origin ? cors(backend, origin) : 'no --origin: a portal on the same origin needs no CORS',
  async 'preflight.slash'({ backend }) {
    const [prices, options] = [await otherForm(backend, 'subscriptions.prices'), await otherForm(backend, 'sessions.options')]
    // Prices must work with and without the final slash.
    return [
      ...prices.map((finding) => ({ ...finding, verdict: finding.path === 'redirect' ? finding.verdict : 'fail' }) as const),
      ...options,
    ]
  },
  async 'preflight.json'({ backend }) {
    const { contentType, status } = await backend.ask(callNamed('users.me'), {}, { token: null })
    return contentType.includes('json') ? [] : [fail('content-type', `${contentType || 'none'} with status ${status} instead of JSON`)]
  },
  async 'preflight.clock'({ backend, io }) {
    const { headers } = await backend.ask(callNamed('sessions.options'), {}, { token: null })
    const date = headers.get('date')
    if (!date) return [drift('date', 'none: the portal goes by the clock of its device')]
    const seconds = Math.round((Date.parse(date) - io.now().getTime()) / 1000)
    return Math.abs(seconds) <= SKEW_SECONDS
      ? []
      : [fail('date', `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine`)]
  },
}

/** Compares the response on the path with the other slash form to the documented one. */
async function otherForm(backend: Backend, name: string): Promise<Finding[]> {
  const call = callNamed(name)
  const path = (call.route.path.endsWith('/') ? call.route.path.slice(0, -1) : `${call.route.path}/`) as `/${string}`
  const documented = await backend.ask(call, {}, { token: null })
  const other = await backend.ask({ name, route: { ...call.route, path } }, {}, { token: null })
  const redirect = other.redirects[0]
  if (redirect) return [drift('redirect', `${path} answers ${redirect.status} to ${redirect.to.pathname}`)]
  const isAlike = other.status === documented.status && codeOf(other) === codeOf(documented)
  return isAlike ? [] : [drift(path, `${other.status} instead of ${documented.status}`)]
}
