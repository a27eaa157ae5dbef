import type * as z from 'zod/mini'
import { type Backend, listRows, type Row } from '#scripts/contracts/client/backend.ts'
import { type Endpoint, endpoints, getEndpoint } from '#scripts/contracts/client/endpoints.ts'
import { type Finding, fail, tolerate } from '#scripts/contracts/client/findings.ts'
import { evaluateSuccess } from '#scripts/contracts/client/judge.ts'
import { isEmpty, type Missing, NOT_SIGNED_IN, type Run } from '#scripts/contracts/client/run.ts'
import type { BackendResponse } from '#scripts/contracts/client/send.ts'
import { getSuccess, isSct2Board, type RequestInput, type Route, readTolerantly, rolesOf } from '#scripts/contracts/port.ts'

/** The number of rows of a list that are tried before an endpoint counts as empty. */
const CANDIDATES = 5

/** Returns inputs for an endpoint, taken from lists of the backend: [] if it needs none, or a text with the reason if there are none. */
export async function findInputs(backend: Backend, endpoint: Endpoint): Promise<RequestInput[] | string> {
  const list = findListEndpoint(endpoint)
  if (!list) return []
  const rows = await backend.rows(list.name)
  if (rows.length === 0) return `${list.name} is empty`
  const inputs = rows.filter((row) => appliesTo(endpoint, row)).flatMap((row) => toInput(endpoint, row) ?? [])
  return inputs.length > 0 ? inputs.slice(0, CANDIDATES) : `no row of ${list.name} fits`
}

/** The list above the path of an endpoint: `/users/orders/` for `/users/orders/:reference/`. */
function findListEndpoint({ name, route }: Endpoint): Endpoint | undefined {
  if (name === 'serialChecks.read') return getEndpoint('devices.list')
  const gap = route.path.indexOf(':')
  return gap < 0 ? undefined : endpoints.find((each) => each.route.method === 'GET' && each.route.path === route.path.slice(0, gap))
}

/** Only some boards have the configurable mode. */
const appliesTo = ({ name }: Endpoint, { tracker_config }: Row) =>
  name !== 'sct2.read' || isSct2Board((tracker_config as { board_name?: string } | undefined)?.board_name)

/** A parameter has the name of the field that it is taken from; so has the only required query parameter. */
function toInput(endpoint: Endpoint, row: Row): RequestInput | undefined {
  const fields = endpoint.name === 'serialChecks.read' ? ['identifier'] : paramsOf(endpoint.route)
  const values = Object.fromEntries(fields.map((field) => [field, row[field]]))
  if (Object.values(values).some((value) => value === undefined || value === null)) return undefined
  return endpoint.route.params ? { params: values } : { query: values }
}

export const paramsOf = ({ params }: Route) => Object.keys(params?.shape ?? {})

export const isRead = ({ route }: Endpoint) => route.method === 'GET' && route.safety === 'read'

/** Whether a role may use an endpoint; an unknown role may try. */
export const isAllowed = ({ route: { access } }: Endpoint, role: string | null) =>
  access === 'public' || (role === null ? rolesOf(access).length > 0 : rolesOf(access).some((one) => one === role))

export async function checkReads(run: Run) {
  for (const endpoint of endpoints.filter(({ name, route }) => route.method === 'GET' && run.isSelected(name)))
    await checkRead(run, endpoint)
}

async function checkRead({ backend, viewer, ...run }: Run, endpoint: Endpoint) {
  const trial = { level: 'reads', endpoint } as const
  const missing = run.findMissing(endpoint.name)
  if (missing?.isSpare) return run.skip(trial, `${missing.note}: not needed, because ${missing.leftOut}`)
  if (missing?.call === endpoint.name) return reportMissing(run, endpoint, missing)
  if (missing) return run.skip(trial, `the backend has no ${missing.name}`)
  if (!isRead(endpoint)) return run.skip(trial, 'has side effects')
  if (!viewer) return run.skip(trial, NOT_SIGNED_IN)
  if (!isAllowed(endpoint, viewer.role)) return run.skip(trial, `not permitted for the role ${viewer.role}`)
  const inputs = await findInputs(backend, endpoint)
  if (typeof inputs === 'string') return run.skip(trial, inputs)
  const requests = inputs.length === 0 ? [() => backend.read(endpoint.name)] : inputs.map((input) => () => backend.request(endpoint, input))
  await run.checkResponse(
    trial,
    () => firstNonEmpty(requests),
    (response) => {
      if (endpoint.name === 'links.listOf' && response.status === 404) return [tolerate('none-as-404', 'status')]
      const found = evaluateSuccess(endpoint.route, response, backend.names)
      if (endpoint.name === 'subscriptions.prices') return [...found, ...findNoPlan(response.body)]
      return endpoint.name === 'devices.list' ? withNames(found, run.trackerNames.findings) : found
    },
  )
}

/** A price that is not an option is a plan, whatever its name. */
export const listPlans = (prices: readonly Row[]) => prices.filter(({ type }) => type !== 'option')

function findNoPlan(body: unknown): Finding[] {
  const reading = readTolerantly(getSuccess(getEndpoint('subscriptions.prices').route).schema as z.ZodMiniType, body)
  const prices = reading.ok ? listRows({ body: reading.value }) : []
  return prices.length > 0 && listPlans(prices).length === 0 ? [fail('*.type', 'every price is an option: no plan can be bought')] : []
}

/** A replacement for a field that no tracker has says more than the lack in each of them. */
const withNames = (found: readonly Finding[], named: readonly Finding[]) => [
  ...found.filter(({ path }) => !named.some((one) => one.path === path)),
  ...named,
]

/** The portal determines the features of a backend, and hides missing ones. */
function reportMissing(run: Pick<Run, 'report'>, { name }: Endpoint, { name: feature, note, leftOut }: Missing) {
  const finding = tolerate('no-endpoint', '', { message: `${note}: the backend has no ${feature}`, effect: `left out: ${leftOut}` })
  run.report({ level: 'reads', name, title: '', findings: [finding], note })
}

/** The first response that is not empty, or else the first of all. */
export async function firstNonEmpty(requests: (() => Promise<BackendResponse>)[]): Promise<BackendResponse> {
  let first: BackendResponse | undefined
  for (const request of requests) {
    const response = await request()
    if (response.status >= 500 || (response.status < 300 && !isEmpty(response.body))) return response
    first ??= response
  }
  return first!
}
