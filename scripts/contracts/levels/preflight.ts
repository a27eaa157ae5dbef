import type { Backend } from '#scripts/contracts/client/backend.ts'
import { type Endpoint, endpoints, getEndpoint, type PreflightCheck } from '#scripts/contracts/client/endpoints.ts'
import { drift, type Finding, fail, tolerate } from '#scripts/contracts/client/findings.ts'
import type { Run } from '#scripts/contracts/client/run.ts'
import { type BackendResponse, Unreachable } from '#scripts/contracts/client/send.ts'
import { CSRF_HEADER } from '#scripts/contracts/port.ts'
import { isAllowed, isRead, paramsOf } from './reads.ts'

/** Clock difference from which the portal shows wrong times. */
const SKEW_SECONDS = 60
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\]|.*\.localhost)$/

type PreflightRule = (run: Run) => Promise<Finding[] | string>

/** Checks the prerequisites of every request of a portal. A check returns a text when it was skipped. */
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
  /** The portal learns of another scheme only from its configuration. */
  async 'preflight.auth'({ backend: { identity }, viewer, options: { writeConfig } }) {
    if (!viewer) return 'needs a signed-in user'
    if (identity.token === null) return [fail('token', 'no token at sign-in, only cookies')]
    const message = `the token is accepted after the word ${identity.scheme}, not after Bearer`
    if (identity.scheme === 'Bearer') return []
    return [
      writeConfig ? tolerate('other-scheme', 'authorization', { message }) : fail('authorization', `${message}; --write-config writes it`),
    ]
  },
  'preflight.cors': async ({ backend, options: { origin } }) =>
    origin ? checkCors(backend, origin) : 'no --origin: a portal on the same origin needs no CORS',
  async 'preflight.slash'(run) {
    const lists = endpoints.filter(
      (each) => isRead(each) && paramsOf(each.route).length === 0 && (run.viewer ? isAllowed(each, run.viewer.role) : true),
    )
    const found: Finding[] = []
    for (const endpoint of lists) found.push(...(await compareSlashForms(run, endpoint).catch(ignoreUnreachable)))
    return found
  },
  async 'preflight.json'({ backend }) {
    const { contentType, status } = await backend.request(getEndpoint('users.me'), {}, { token: null })
    const message = `${contentType || 'none'} with status ${status} instead of JSON`
    return contentType.includes('json') ? [] : [tolerate('error-body', 'content-type', { message })]
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

/** A call without a response is reported by the reads. */
function ignoreUnreachable(error: unknown): Finding[] {
  if (error instanceof Unreachable) return []
  throw error
}

/** The specification gives the prices in both forms. */
const IN_BOTH_FORMS = 'subscriptions.prices'

const isMissing = ({ status }: BackendResponse) => status === 404 || status === 405

/** Compares the path of the contract with its other slash form. The portal uses only the first. */
async function compareSlashForms({ backend, viewer }: Run, endpoint: Endpoint): Promise<Finding[]> {
  const { name, route } = endpoint
  const hasSlash = route.path.endsWith('/')
  const path = (hasSlash ? route.path.slice(0, -1) : `${route.path}/`) as `/${string}`
  const how = viewer ? {} : { token: null }
  const documented = await (viewer ? backend.read(name) : backend.request(endpoint, {}, how))
  const other = await backend.request({ name, route: { ...route, path } }, {}, how)
  const [own, others] = hasSlash ? ['with', 'without'] : ['without', 'with']
  const say = (finding: Finding, cause: string): Finding[] => [{ ...finding, call: name, cause }]
  const moved = documented.redirects[0]
  if (moved) {
    const message = `${route.path} redirects with ${moved.status} to ${moved.to.pathname}: one more request, and a POST there may lose its body`
    return say(drift('redirect', message), `the form of the contract, ${own} the final slash, redirects with ${moved.status}`)
  }
  if (isMissing(documented) && !isMissing(other) && other.redirects.length === 0)
    return say(
      fail(route.path, `${documented.status}, but ${path} ${other.status}`),
      `the form of the contract, ${own} the final slash, is ${documented.status}; the other one is there`,
    )
  const redirect = other.redirects[0]
  if (redirect)
    return say(
      drift('redirect', `${path} redirects with ${redirect.status} to ${redirect.to.pathname}`),
      `the form ${others} the final slash redirects with ${redirect.status}`,
    )
  const isPage = documented.contentType.includes('json') && !other.contentType.includes('json')
  if (other.status === documented.status && !isPage) return []
  const message = other.status === documented.status ? 'a page instead of JSON' : `${other.status} instead of ${documented.status}`
  return say(name === IN_BOTH_FORMS ? fail(path, message) : drift(path, message), `the form ${others} the final slash is ${message}`)
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
    ...findUnexposed(refusal).map((header) => drift('access-control-expose-headers', `${header} is missing: ${EXPOSED[header]}`)),
  ]
}

/** Headers that a page of another origin cannot read unless they are exposed, and what the portal does without them. */
const EXPOSED: Record<string, string> = {
  Date: 'the portal uses the clock of its device',
  'Retry-After': 'the portal guesses how long to wait after 429 and 503',
}

function findUnexposed(response: BackendResponse): string[] {
  const exposed = headerValues(response, 'access-control-expose-headers')
  return Object.keys(EXPOSED).filter((header) => !exposed.includes(header.toLowerCase()))
}

/** The headers that the backend must expose for a portal of another origin. */
export async function listExposedHeaders(backend: Backend, origin: string): Promise<string[]> {
  const asked = backend.request(getEndpoint('users.me'), {}, { token: null, headers: { origin } })
  const missing = await asked.then(findUnexposed, (error: unknown) => {
    if (error instanceof Unreachable) return []
    throw error
  })
  return missing.length > 0 ? [`the header Access-Control-Expose-Headers: ${missing.join(', ')} in answers to ${origin}`] : []
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
