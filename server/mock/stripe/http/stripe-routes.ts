import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '#server/mock/stripe/api/endpoint.ts'
import { SECRET_KEY, type StripeFake } from '#server/mock/stripe/stripe-fake.ts'
import { ACCOUNT_HEADERS, OUTSIDE_HEADER, VERSION_HEADER } from '#server/mock/stripe/stripe-fetch.ts'

/** Clients configured with only a host expect `/v1`; those configured with a URL may have a path before it. */
const STRIPE_API_PATHS = ['/v1', '/stripe-api/v1'] as const

/** The secret key of a request: `Authorization: Bearer sk_…`, or the user name of basic authentication, as curl sends it. */
function readStripeKey({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  return scheme.toLowerCase() === 'basic' ? (Buffer.from(value, 'base64').toString().split(':', 1)[0] ?? '') : value
}

type Account = {
  stripe: Pick<StripeFake, 'fetch'>
  /** Sends the events of a request, after its response. */
  deliver(): Promise<void>
}

/** Serves the API of fake Stripe accounts by HTTP. `findAccount` returns the account of a key, or undefined for a wrong one. */
export function mountStripeApi(app: FastifyInstance, findAccount: (key: string, request: FastifyRequest) => Account | undefined) {
  const running = new Set<Promise<void>>()
  app.addHook('preClose', async () => void (await Promise.all(running)))
  app.register(async (api) => {
    api.removeAllContentTypeParsers()
    api.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body))
    for (const base of STRIPE_API_PATHS)
      api.all(`${base}/*`, async (request, reply) => {
        const key = readStripeKey(request)
        const account = findAccount(key, request)
        const answer = account ? await account.stripe.fetch(...toStripeRequest(request, base)) : refuseKey(key)
        reply.code(answer.status).headers(Object.fromEntries(answer.headers))
        reply.raw.once('close', () => {
          if (!account) return
          const work = account
            .deliver()
            .catch((error) => request.log.error({ err: error }, 'could not deliver events'))
            .finally(() => running.delete(work))
          running.add(work)
        })
        return reply.send(await answer.text())
      })
  })
}

function toStripeRequest({ method, url, headers, body }: FastifyRequest, base: string): Parameters<typeof fetch> {
  const { 'idempotency-key': idempotencyKey } = headers
  return [
    `https://api.stripe.com/v1${url.slice(base.length)}`,
    {
      method,
      headers: {
        authorization: `Bearer ${SECRET_KEY}`,
        'content-type': 'application/x-www-form-urlencoded',
        [OUTSIDE_HEADER]: '1',
        ...(typeof idempotencyKey === 'string' && { 'idempotency-key': idempotencyKey }),
        ...Object.fromEntries(
          [...ACCOUNT_HEADERS, VERSION_HEADER].flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])),
        ),
      },
      ...(method !== 'GET' && method !== 'HEAD' && { body: typeof body === 'string' ? body : '' }),
    },
  ]
}

const VISIBLE_START = 8
const VISIBLE_END = 4

function refuseKey(key: string) {
  const masked =
    key.slice(0, VISIBLE_START) +
    '*'.repeat(Math.max(0, key.length - VISIBLE_START - VISIBLE_END)) +
    key.slice(VISIBLE_START).slice(-VISIBLE_END)
  const reason = key
    ? `Invalid API Key provided: ${masked}`
    : 'You did not provide an API key. Provide it in the Authorization header, as in “Authorization: Bearer YOUR_SECRET_KEY”.'
  return new Problem(reason, { status: 401 }).toResponse()
}

const CALL_NAMES: Record<string, string> = {
  'POST ': 'create',
  'GET ': 'list',
  'GET /:id': 'retrieve',
  'POST /:id': 'update',
  'DELETE /:id': 'delete',
  'GET /search': 'search',
}
const CALL_ORDER = Object.values(CALL_NAMES)

/** Lists the endpoints as a Markdown table with a row for each resource, its calls by the names of the SDKs. */
export function formatEndpointTable(endpoints: readonly { method: string; path: string }[]) {
  const resources = new Map<string, string[]>()
  for (const { method, path } of endpoints) {
    const [, resource = path] = /^\/v1\/((?:test_helpers\/|checkout\/|billing_portal\/)?[a-z_]+)/.exec(path) ?? []
    const rest = path.slice(`/v1/${resource}`.length)
    const name = CALL_NAMES[`${method} ${rest}`] ?? rest.replace('/:id/', method === 'GET' ? 'list ' : '').replaceAll('_', ' ')
    resources.set(resource, [...(resources.get(resource) ?? []), name])
  }
  const rank = (name: string) => (CALL_ORDER.includes(name) ? CALL_ORDER.indexOf(name) : CALL_ORDER.length)
  const rows = [...resources].map(([resource, names]) => `| \`${resource}\` | ${names.sort((a, b) => rank(a) - rank(b)).join(', ')} |\n`)
  return `| Resource | Calls |\n|---|---|\n${rows.join('')}`
}
