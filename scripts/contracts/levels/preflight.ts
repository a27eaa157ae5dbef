import { CSRF_HEADER } from '#contracts/lib/constants.ts'
import type { Backend } from '#scripts/contracts/client/backend.ts'
import { type Endpoint, getEndpoint, type PreflightCheck } from '#scripts/contracts/client/endpoints.ts'
import { drift, type Finding, fail } from '#scripts/contracts/client/findings.ts'
import { errorCode } from '#scripts/contracts/client/judge.ts'
import type { Run } from '#scripts/contracts/client/run.ts'
import { type BackendResponse, Unreachable } from '#scripts/contracts/client/send.ts'

/** Clock difference from which the portal shows wrong times. */
const SKEW_SECONDS = 60
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\]|.*\.localhost)$/

type PreflightRule = (run: Run) => Promise<Finding[] | string>

/** Checks what every request of a portal depends on. A check returns a text when it was skipped. */
export async function checkPreflight(run: Run) {
  for (const [name, check] of Object.entries(checks)) {
    if (!run.isSelected(name)) continue
    const result = { level: 'preflight', name, title: '' } as const
    try {
      const found = await check(run)
      if (typeof found === 'string') run.report({ ...result, verdict: 'skipped', findings: [], note: found })
      else run.report({ ...result, findings: found, note: '' })
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      run.report({ ...result, verdict: 'unreachable', findings: [], note: error.message })
    }
  }
}

const checks: Record<PreflightCheck, PreflightRule> = {
  /** An invalid certificate has already ended the run at sign-in. */
  async 'preflight.tls'({ backend }) {
    const { protocol, hostname } = new URL(backend.base)
    if (protocol === 'https:') return []
    return LOOPBACK.test(hostname) ? 'not encrypted, but local' : [fail('', 'not encrypted: a portal on https cannot use it')]
  },
  'preflight.cors': async ({ backend, options: { origin } }) =>
    origin ? checkCors(backend, origin) : 'no --origin: a portal on the same origin needs no CORS',
  async 'preflight.slash'({ backend }) {
    const [prices, options] = [
      await compareSlashForms(backend, 'subscriptions.prices'),
      await compareSlashForms(backend, 'sessions.options'),
    ]
    // Prices must work with and without the final slash.
    return [
      ...prices.map((finding) => ({ ...finding, verdict: finding.path === 'redirect' ? finding.verdict : 'fail' }) as const),
      ...options,
    ]
  },
  async 'preflight.json'({ backend }) {
    const { contentType, status } = await backend.request(getEndpoint('users.me'), {}, { token: null })
    return contentType.includes('json') ? [] : [fail('content-type', `${contentType || 'none'} with status ${status} instead of JSON`)]
  },
  async 'preflight.clock'({ backend, io }) {
    const { headers } = await backend.request(getEndpoint('sessions.options'), {}, { token: null })
    const date = headers.get('date')
    if (!date) return [drift('date', 'missing: the portal uses the clock of its device')]
    const seconds = Math.round((Date.parse(date) - io.now().getTime()) / 1000)
    return Math.abs(seconds) <= SKEW_SECONDS
      ? []
      : [fail('date', `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine`)]
  },
}

/** Compares the response on the path with the other slash form to the documented one. */
async function compareSlashForms(backend: Backend, name: string): Promise<Finding[]> {
  const endpoint = getEndpoint(name)
  const path = (endpoint.route.path.endsWith('/') ? endpoint.route.path.slice(0, -1) : `${endpoint.route.path}/`) as `/${string}`
  const documented = await backend.request(endpoint, {}, { token: null })
  const other = await backend.request({ name, route: { ...endpoint.route, path } }, {}, { token: null })
  const redirect = other.redirects[0]
  if (redirect) return [drift('redirect', `${path} redirects with ${redirect.status} to ${redirect.to.pathname}`)]
  const isAlike = other.status === documented.status && errorCode(other) === errorCode(documented)
  return isAlike ? [] : [drift(path, `${other.status} instead of ${documented.status}`)]
}

const SIMPLE_METHODS = ['GET', 'HEAD', 'POST']

/** Checks that a browser lets a portal of that origin read, write, and see why a request failed. */
async function checkCors(backend: Backend, origin: string): Promise<Finding[]> {
  const read = await sendPreflight(backend, origin, getEndpoint('devices.list'), ['Authorization'])
  const write = await sendPreflight(backend, origin, getEndpoint('users.changeSettings'), ['Authorization', 'Content-Type', CSRF_HEADER])
  const refusal = await backend.request(getEndpoint('users.me'), {}, { token: null, headers: { origin } })
  return [
    ...read,
    ...write,
    ...findOriginProblems(refusal, origin, `the ${refusal.status} of GET /users/me/`),
    ...(headerValues(refusal, 'access-control-expose-headers').includes('date')
      ? []
      : [drift('access-control-expose-headers', 'Date is missing: the portal uses the clock of its device')]),
  ]
}

async function sendPreflight(backend: Backend, origin: string, { name, route }: Endpoint, headers: string[]): Promise<Finding[]> {
  const question = {
    origin,
    'access-control-request-method': route.method,
    'access-control-request-headers': headers.join(',').toLowerCase(),
  }
  const options = { name, route: { ...route, method: 'OPTIONS' as 'GET' } }
  const response = await backend.request(options, {}, { token: null, headers: question })
  const subject = `OPTIONS ${route.path}`
  if (response.status < 200 || response.status > 299) return [fail(subject, `${response.status}: a browser sends no request after that`)]
  const methods = headerValues(response, 'access-control-allow-methods')
  const isMethod = SIMPLE_METHODS.includes(route.method) || methods.includes('*') || methods.includes(route.method.toLowerCase())
  const known = headerValues(response, 'access-control-allow-headers')
  // `*` covers every header except Authorization.
  const missing = headers.filter((one) => !known.includes(one.toLowerCase()) && !(known.includes('*') && one !== 'Authorization'))
  return [
    ...findOriginProblems(response, origin, subject),
    ...(isMethod ? [] : [fail(subject, `does not allow ${route.method}`)]),
    ...missing.map((one) => fail(subject, `does not allow the header ${one}`)),
  ]
}

function findOriginProblems({ headers }: BackendResponse, origin: string, subject: string): Finding[] {
  const given = headers.get('access-control-allow-origin')
  return given === origin || given === '*' ? [] : [fail(subject, `allows ${given ?? 'no origin'} instead of ${origin}`)]
}

const headerValues = ({ headers }: BackendResponse, name: string) =>
  (headers.get(name) ?? '').split(',').map((one) => one.trim().toLowerCase())
