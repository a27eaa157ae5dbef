import type { CallInput } from '#contracts/lib/client.ts'
import type { Route } from '#contracts/lib/route.ts'
import { isSct2Board } from '#contracts/rules/tracking/tracker.ts'
import type { Backend, Row } from '#scripts/contracts/client/backend.ts'
import { type Call, callNamed, calls } from '#scripts/contracts/client/contracts.calls.ts'

/** Rows of a list that are tried before an endpoint counts as having nothing to show. */
const CANDIDATES = 5

/** Returns inputs for an endpoint, taken from lists of the backend: [] if it needs none, or a text with the reason if there are none. */
export async function inputsOf(backend: Backend, call: Call): Promise<CallInput[] | string> {
  const list = listFor(call)
  if (!list) return []
  const rows = await backend.rows(list.name)
  if (rows.length === 0) return `${list.name} holds nothing`
  const inputs = rows.filter((row) => isFor(call, row)).flatMap((row) => inputOf(call, row) ?? [])
  return inputs.length > 0 ? inputs.slice(0, CANDIDATES) : `nothing in ${list.name} is for it`
}

/** The list above the path of an endpoint: `/users/orders/` for `/users/orders/:reference/`. */
function listFor({ name, route }: Call): Call | undefined {
  if (name === 'serialChecks.read') return callNamed('devices.list')
  const gap = route.path.indexOf(':')
  return gap < 0 ? undefined : calls.find((each) => each.route.method === 'GET' && each.route.path === route.path.slice(0, gap))
}

/** Only some boards have the configurable mode. */
const isFor = ({ name }: Call, { tracker_config }: Row) =>
  name !== 'sct2.read' || isSct2Board((tracker_config as { board_name?: string } | undefined)?.board_name)

/** A parameter is named like the field that holds it; so is the only required query parameter. */
function inputOf(call: Call, row: Row): CallInput | undefined {
  const fields = call.name === 'serialChecks.read' ? ['identifier'] : paramsOf(call.route)
  const values = Object.fromEntries(fields.map((field) => [field, row[field]]))
  if (Object.values(values).some((value) => value === undefined || value === null)) return undefined
  return call.route.params ? { params: values } : { query: values }
}

export const paramsOf = ({ params }: Route) => Object.keys(params?.shape ?? {})
