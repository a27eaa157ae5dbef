import { api } from '#contracts/index.ts'
import { errors } from '#contracts/lib/errors.ts'
import { findContentType, getSuccess } from '#contracts/lib/route.ts'
import { isRow } from '#scripts/contracts/client/backend.ts'
import { type Endpoint, endpoints, getEndpoint } from '#scripts/contracts/client/endpoints.ts'
import { errorCode } from '#scripts/contracts/client/judge.ts'
import type { Run } from '#scripts/contracts/client/run.ts'
import { type BackendResponse, Unreachable } from '#scripts/contracts/client/send.ts'
import { findInputs, firstNonEmpty, isRead, paramsOf } from './reads.ts'

/** `untested` counts as there: the portal then asks, and copes with the answer. */
export type Feature = { name: string; state: 'there' | 'missing' | 'untested'; call: string; note: string; leftOut: string }

/** Without these there is no portal. */
const CORE = ['sessions', 'users', 'devices']

const LEFT_OUT: Record<string, string> = {
  alerts: 'alerts and their settings',
  confirmations: 'confirming an e-mail address and changing it',
  conflicts: 'asking the owner of a tracker to release it',
  contacts: 'contacts, and alerts that are sent to them',
  deviceKeys: 'keys for devices that report themselves',
  history: 'the way of a tracker and its export',
  invoices: 'the list of invoices',
  links: 'public links',
  live: 'changes at once: the portal asks again from time to time',
  orders: 'the list of orders',
  paymentMethods: 'cards',
  places: 'places, and alerts about them',
  positions: 'the way of a tracker and its export',
  sct2: 'the mode with own intervals',
  serialChecks: 'checking the serial number when a tracker is added',
  subscriptions: 'subscriptions, prices and buying',
  tags: 'tags',
  team: 'the team and its members',
  theft: 'theft reports',
  trackers: 'adding, changing and removing trackers',
}

const OWN_CALLS: Record<string, string> = { live: 'positions.live', history: 'positions.history', sessions: 'sessions.options' }

/** Groups that have only calls of ours have no endpoint here. */
const groups = Object.keys(api).filter((name) => endpoints.some((each) => each.name.startsWith(`${name}.`)))

/** The features by name, with the call that shows whether the backend has them. */
const features = [...groups, 'live', 'history'].sort().map((name) => ({ name, endpoint: findReading(name) }))

function findReading(name: string): Endpoint {
  if (OWN_CALLS[name]) return getEndpoint(OWN_CALLS[name])
  const own = endpoints.filter((each) => each.name.startsWith(`${name}.`))
  const isStream = ({ route }: Endpoint) => findContentType(getSuccess(route).schema) !== undefined
  const reading = own.filter((each) => isRead(each) && !isStream(each))
  return reading.toSorted((a, b) => paramsOf(a.route).length - paramsOf(b.route).length)[0] ?? own[0]!
}

/** The feature that an endpoint belongs to. */
export const featureOf = (endpoint: string) =>
  endpoint === 'positions.live' ? 'live' : endpoint.startsWith('positions.') ? 'history' : endpoint.split('.', 1)[0]!

export const isCore = (feature: string) => CORE.includes(feature)

/** Asks for each feature whether the backend has it, without changing anything. */
export async function findFeatures(run: Run): Promise<Feature[]> {
  const isRoute = createRouteProbe(run)
  const found: Feature[] = []
  for (const { name, endpoint } of features) {
    const about = { name, call: endpoint.name, leftOut: LEFT_OUT[name] ?? name }
    try {
      found.push({ ...about, ...(await testFeature(run, endpoint, isRoute)) })
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      found.push({ ...about, state: 'untested', note: error.message })
    }
  }
  return found
}

type State = Pick<Feature, 'state' | 'note'>
type RouteProbe = (endpoint: Endpoint) => Promise<boolean | undefined>

async function testFeature({ backend }: Run, endpoint: Endpoint, isRoute: RouteProbe): Promise<State> {
  if (!isRead(endpoint)) return describeProbe(await isRoute(endpoint), 'cannot be told without changing something')
  const inputs = paramsOf(endpoint.route).length === 0 ? [] : await findInputs(backend, endpoint)
  if (typeof inputs === 'string') return { state: 'untested', note: inputs }
  const requests = inputs.map((input) => () => backend.request(endpoint, input))
  const response = await firstNonEmpty(requests.length > 0 ? requests : [() => backend.read(endpoint.name)])
  const note = `${response.status} ${endpoint.route.method} ${endpoint.route.path}`
  if (isAbsent(endpoint, response)) return { state: 'missing', note }
  // A tracker without a report or a mode answers 404 too.
  if (response.status === 404 && !hasOwnCode(endpoint, response)) return describeProbe(await isRoute(endpoint), note)
  return { state: 'there', note }
}

const describeProbe = (isRoute: boolean | undefined, note: string): State => ({
  state: isRoute === undefined ? 'untested' : isRoute ? 'there' : 'missing',
  note,
})

function isAbsent({ name, route }: Endpoint, { status, contentType }: BackendResponse): boolean {
  if (name === 'positions.live') return status !== 401 && status !== 403 && status < 500 && !contentType.startsWith('text/event-stream')
  if (status === 405 || status === 501) return true
  // Hosts of single-page apps answer every path with their page.
  if (status <= 299) return contentType.includes('html')
  const isOfObject = name === 'sct2.read' || (paramsOf(route).length > 0 && route.errors?.some((code) => errors[code] === 404))
  return status === 404 && !isOfObject
}

const hasOwnCode = ({ route }: Endpoint, response: BackendResponse) => route.errors?.some((code) => code === errorCode(response))

const UNKNOWN_PATH = '/contracts-check-unknown/'

/** Finds out which routes exist. Many frameworks answer OPTIONS with 404 where they have no route; undefined for backends that do not. */
function createRouteProbe({ backend }: Run): RouteProbe {
  const ask = async (path: `/${string}`, params = {}) => {
    const { route } = getEndpoint('users.me')
    return (await backend.request({ name: 'options', route: { ...route, method: 'OPTIONS' as 'GET', path } }, { params })).status
  }
  let telling: Promise<boolean> | undefined
  const isTelling = async () => (await ask('/users/me/')) < 300 && (await ask(UNKNOWN_PATH)) === 404
  return async ({ route }) => {
    telling ??= isTelling()
    if (!(await telling)) return undefined
    const [device] = await backend.rows('devices.list')
    const names = paramsOf(route)
    if (names.length > 0 && (!isRow(device) || names.some((name) => name !== 'id'))) return undefined
    return (await ask(route.path, { id: device?.id })) !== 404
  }
}
