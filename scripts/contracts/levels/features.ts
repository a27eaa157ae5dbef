import { readFileSync } from 'node:fs'
import { type Endpoint, endpoints, getEndpoint } from '#scripts/contracts/client/endpoints.ts'
import { errorCode } from '#scripts/contracts/client/judge.ts'
import type { Run } from '#scripts/contracts/client/run.ts'
import { type BackendResponse, Unreachable } from '#scripts/contracts/client/send.ts'
import { findContentType, findFeatureOf, getSuccess, OPTIONAL, PARTS } from '#scripts/contracts/port.ts'
import { findInputs, firstNonEmpty, isRead, paramsOf } from './reads.ts'
import { createRouteProbe, type RouteProbe } from './route-probe.ts'

/** Something that a backend may lack: a feature by the portal's name, or a call that the portal can do without. */
export type Feature = {
  name: string
  state: 'there' | 'missing' | 'untested'
  call: string
  note: string
  leftOut: string
  /** Whether the specification contains the call; then it counts as present if it could not be tested. */
  isDocumented: boolean
}

const LEFT_OUT: Record<(typeof OPTIONAL)[number], string> = {
  accountLinks: 'nothing: links are read tracker by tracker',
  alerts: 'alerts and their settings',
  boost: 'the boost',
  confirmations: 'changing the e-mail address',
  conflicts: 'asking the owner of a tracker to release it',
  contacts: 'contacts, and alerts that are sent to them',
  currentSubscriptions: 'stopping a renewal, and waiting for the confirmation of a payment',
  deviceKeys: 'connecting phones',
  exportCsv: 'the export of positions',
  history: 'the way of a tracker: its last position is shown',
  invoices: 'the list of invoices',
  links: 'public links',
  live: 'changes at once: the portal asks again every 30 seconds',
  me: 'the e-mail address on the account page',
  modes: 'changing the mode: it is shown',
  networkActivation: 'activating a tracker on its network',
  orders: 'the list of orders',
  passwordChange: 'changing the password',
  passwordReset: 'a new password by e-mail',
  paymentMethods: 'cards',
  placeImport: 'the import of places',
  places: 'places, and alerts about them',
  sct2: 'the parameters of configurable trackers',
  serialChecks: 'checking the serial number when a tracker is added',
  settings: 'profile and preferences',
  subscriptions: 'subscriptions, prices and buying',
  tags: 'tags',
  team: 'the team and its members',
  theft: 'the form of the police',
  theftReports: 'theft reports',
  trackerChange: 'changing a tracker',
  trackerRemoval: 'removing a tracker',
  trackers: 'adding a tracker',
}

/** Calls of the contract that the portal can do without, and what it reads instead. */
const SPARE: Record<string, string> = {
  'devices.get': 'the portal reads the list of trackers',
  'devices.config': 'the portal reads the list of trackers',
  'devices.status': 'the portal reads the list of trackers',
  'links.read': 'visitors read the list of trackers',
}

const readDocumented = () => new Set(readFileSync('contracts/specified-endpoints.txt', 'utf8').trim().split('\n'))

/** The feature that an endpoint belongs to; undefined for calls that every backend has. */
export function featureOf(name: string): string | undefined {
  return name in SPARE ? name : findFeatureOf(getEndpoint(name).route)?.[0]
}

/** The call that shows whether the backend has a feature: a read, if there is one. */
function findCall(feature: string): Endpoint {
  const own = endpoints.filter(({ name }) => featureOf(name) === feature)
  const reading = own.filter(isRead).toSorted((a, b) => paramsOf(a.route).length - paramsOf(b.route).length)
  const found = reading[0] ?? own[0]
  if (!found) throw new Error(`No endpoint belongs to the feature ${feature}`)
  return found
}

/** Determines the features of the backend, without changing anything. */
export async function findFeatures(run: Run): Promise<Feature[]> {
  const probe = createRouteProbe(run)
  const documented = readDocumented()
  const found: Feature[] = []
  for (const name of [...OPTIONAL, ...Object.keys(SPARE)]) {
    const endpoint = name in SPARE ? getEndpoint(name) : findCall(name)
    const about = {
      name,
      call: endpoint.name,
      leftOut: name in LEFT_OUT ? LEFT_OUT[name as keyof typeof LEFT_OUT] : SPARE[name]!,
      isDocumented: documented.has(`${endpoint.route.method} ${endpoint.route.path}`),
    }
    try {
      found.push({ ...about, ...(await testFeature(run, endpoint, probe)) })
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      found.push({ ...about, state: 'untested', note: error.message })
    }
  }
  return found.map((feature) => withoutWhole(feature, found))
}

/** Where the whole feature is absent, its parts are absent too. */
function withoutWhole(feature: Feature, all: readonly Feature[]): Feature {
  const whole = all.find(({ name, state }) => state === 'missing' && PARTS[name as keyof typeof PARTS] === feature.name)
  return whole ? { ...feature, state: 'missing', note: `without ${whole.name}` } : feature
}

/**
 * The names for `features` of the configuration: features that the backend has, and untested ones that the specification demands. Other
 * untested features are left out, so that nothing is offered that cannot work.
 */
export const listForConfig = (features: readonly Feature[]) =>
  features.flatMap((one) => (!isSpare(one) && (one.state === 'there' || (one.state === 'untested' && one.isDocumented)) ? [one.name] : []))

export const isSpare = ({ name }: Pick<Feature, 'name'>) => name in SPARE

type State = Pick<Feature, 'state' | 'note'>

async function testFeature({ backend }: Run, endpoint: Endpoint, probe: RouteProbe): Promise<State> {
  const { route } = endpoint
  const call = `${route.method} ${route.path}`
  if (!isRead(endpoint)) return describeProbe(await probe.hasRoute(endpoint), call)
  const inputs = paramsOf(route).length === 0 && endpoint.name !== 'serialChecks.read' ? [] : await findInputs(backend, endpoint)
  if (typeof inputs === 'string') return findWithoutInput(endpoint, probe, inputs)
  const requests = inputs.map((input) => () => backend.request(endpoint, input))
  const response = await firstNonEmpty(requests.length > 0 ? requests : [() => backend.read(endpoint.name)])
  const note = `${response.status} ${call}`
  if (isAbsent(endpoint, response)) return { state: 'missing', note }
  if (response.status !== 404 || hasOwnCode(endpoint, response)) return { state: 'there', note }
  // A tracker without a report also returns 404, with a message of its own or only if the path exists.
  if (!(await probe.isUnknownPath(response))) return { state: 'there', note }
  return (await probe.hasRoute(endpoint)) ? { state: 'there', note } : { state: 'missing', note }
}

async function findWithoutInput(endpoint: Endpoint, probe: RouteProbe, reason: string): Promise<State> {
  const { state, note } = describeProbe(await probe.hasRoute(endpoint), `${endpoint.route.method} ${endpoint.route.path}`)
  return { state, note: state === 'untested' ? reason : note }
}

const describeProbe = (hasRoute: boolean | undefined, call: string): State =>
  hasRoute === undefined
    ? { state: 'untested', note: `${call} cannot be told without changing something` }
    : { state: hasRoute ? 'there' : 'missing', note: `${hasRoute ? '' : 'no '}${call}` }

function isAbsent({ name, route }: Endpoint, { status, contentType }: BackendResponse): boolean {
  if (name === 'positions.live') return status !== 401 && status !== 403 && status < 500 && !contentType.startsWith('text/event-stream')
  if (status === 405 || status === 501) return true
  // Hosts of single-page apps send their page for every path.
  if (status <= 299) return contentType.includes('html') && !findContentType(getSuccess(route).schema)?.includes('html')
  return status === 404 && paramsOf(route).length === 0 && name !== 'serialChecks.read'
}

const hasOwnCode = ({ route }: Endpoint, response: BackendResponse) => route.errors?.some((code) => code === errorCode(response))
