import { isRow } from '#scripts/contracts/client/backend.ts'
import { type Endpoint, getEndpoint } from '#scripts/contracts/client/endpoints.ts'
import type { Run } from '#scripts/contracts/client/run.ts'
import type { BackendResponse } from '#scripts/contracts/client/send.ts'
import type { RequestInput, Route } from '#scripts/contracts/port.ts'
import { isRead, paramsOf } from './reads.ts'

const UNKNOWN_IDS: Record<string, unknown> = {
  id: 2_147_483_646,
  uuid: '00000000-0000-4000-8000-000000000000',
  reference: 'nobody-ordered-this',
}

/** Input with ids that exist on no backend. */
export const unknownInput = ({ route }: Endpoint): RequestInput => ({
  params: Object.fromEntries(paramsOf(route).map((name) => [name, UNKNOWN_IDS[name] ?? UNKNOWN_IDS.id])),
})

const WORD = 'contracts-check-unknown'
const UNKNOWN_PATH = `/${WORD}/` as const
/** A call of the specification that only writes. */
const WRITING = 'subscriptions.pay'

/**
 * A path that exists on no backend, next to one of the contract: in the same folder, or in a folder of its own for a path that ends with an
 * id.
 */
const findPathBeside = (path: string) =>
  (/:\w+\/?$/.test(path) ? path.replace(/^\/[^/]+/, `/${WORD}`) : path.replace(/[^/]+(\/?)$/, `${WORD}$1`)) as `/${string}`

/** Compares two rejections by their messages, without parts that depend on the request. */
function describeRefusal({ status, contentType, text, sent }: BackendResponse): string {
  const { pathname } = sent.url
  const words = [pathname, pathname.slice(1), pathname.replace(/\/$/, '')].reduce((rest, path) => rest.replaceAll(path, ''), text)
  return [status, contentType.split(';', 1)[0], words.replace(/[\da-f]{8,}|\d+/gi, '').slice(0, 2000)].join(' ')
}

const isNoRoute = ({ status }: BackendResponse) => status === 405 || status === 501

export type RouteProbe = {
  /** Whether a call exists, determined without changing anything; undefined if this backend gives no indication. */
  hasRoute(endpoint: Endpoint): Promise<boolean | undefined>
  /** Whether a 404 is the one that this backend sends for every unknown path. */
  isUnknownPath(response: BackendResponse): Promise<boolean>
}

/**
 * Determines which calls exist without changing anything. Frameworks reveal different things: some respond to OPTIONS with the methods of a
 * path, most reject a request without a token differently if the path is unknown, and many respond to GET with 405 if a path only accepts
 * writes. Each method is used only if it distinguishes a path that certainly exists from one that certainly does not.
 */
export function createRouteProbe({ backend }: Pick<Run, 'backend'>): RouteProbe {
  const { route: any } = getEndpoint('users.me')
  const asked = new Map<string, Promise<BackendResponse>>()
  const ask = (method: string, path: `/${string}`, input: RequestInput = {}, token?: null) => {
    const key = JSON.stringify([method, path, input, token === null])
    const route: Route = { ...any, method: method as 'GET', path }
    const response = asked.get(key) ?? backend.request({ name: 'probe', route }, input, token === null ? { token } : {})
    asked.set(key, response)
    return response
  }

  async function tryOptions({ route }: Endpoint, input: RequestInput) {
    const [known, unknown] = [await ask('OPTIONS', any.path), await ask('OPTIONS', UNKNOWN_PATH)]
    if (known.status > 299 || unknown.status !== 404) return undefined
    const response = await ask('OPTIONS', route.path, input)
    if (response.status === 404) return false
    const allowed = response.headers.get('allow')
    return allowed === null || allowed.toUpperCase().includes(route.method)
  }

  /** Sends the call without a token, without a body and with unknown ids, so that it cannot change anything. */
  async function tryWithoutToken(endpoint: Endpoint) {
    const { route } = endpoint
    const input = { ...unknownInput(endpoint), ...(route.method !== 'GET' && { body: {} }) }
    const unknown = await ask(route.method, UNKNOWN_PATH, {}, null)
    if (unknown.status !== 404) return undefined
    const response = await ask(route.method, route.path, input, null)
    if (isNoRoute(response)) return false
    if (response.status === 404) return describeRefusal(response) === describeRefusal(unknown) ? false : undefined
    // Some backends check the token before the path.
    const beside = await ask(route.method, findPathBeside(route.path), input, null)
    return beside.status === 404 && response.status < 500 ? true : undefined
  }

  /** Another method of the same path responds to a request without a token, so a read is sent with one too. */
  async function tryUnknownId(endpoint: Endpoint) {
    if (!isRead(endpoint)) return undefined
    return isNoRoute(await ask('GET', endpoint.route.path, unknownInput(endpoint))) ? false : undefined
  }

  async function tryReading({ route }: Endpoint, input: RequestInput) {
    if (route.method === 'GET') return undefined
    const [unknown, writing] = [await ask('GET', UNKNOWN_PATH), await ask('GET', getEndpoint(WRITING).route.path)]
    if (unknown.status !== 404 || !isNoRoute(writing)) return undefined
    const response = await ask('GET', route.path, input)
    const allowed = response.headers.get('allow')
    if (allowed !== null && response.status !== 404) return allowed.toUpperCase().includes(route.method)
    if (isNoRoute(response)) return true
    return describeRefusal(response) === describeRefusal(unknown) ? false : undefined
  }

  async function findRealInput({ route }: Endpoint): Promise<RequestInput | undefined> {
    const names = paramsOf(route)
    if (names.length === 0) return {}
    const [device] = await backend.rows('devices.list')
    return isRow(device) && names.every((name) => name === 'id') ? { params: { id: device.id } } : undefined
  }

  return {
    async hasRoute(endpoint) {
      const input = await findRealInput(endpoint)
      return (
        (input && (await tryOptions(endpoint, input))) ??
        (await tryUnknownId(endpoint)) ??
        (await tryWithoutToken(endpoint)) ??
        (input && (await tryReading(endpoint, input)))
      )
    },
    async isUnknownPath(response) {
      return describeRefusal(response) === describeRefusal(await ask('GET', UNKNOWN_PATH))
    },
  }
}
