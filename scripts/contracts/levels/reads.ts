import type { CallInput } from '#contracts/lib/client.ts'
import type { Route } from '#contracts/lib/route.ts'
import { isSct2Board } from '#contracts/rules/tracking/tracker.ts'
import type { Backend, Row } from '#scripts/contracts/client/backend.ts'
import { type Call, callNamed, calls } from '#scripts/contracts/client/endpoints.ts'
import { judge } from '#scripts/contracts/client/judge.ts'
import { isEmpty, type Run } from '#scripts/contracts/client/run.ts'
import type { Answer } from '#scripts/contracts/client/send.ts'

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

/** Whether an endpoint is a GET without side effects. */
export const isRead = ({ route }: Call) => route.method === 'GET' && route.safety === 'read'

/** Whether a role may use an endpoint; an unknown role may try. */
export const isAllowed = ({ route: { access } }: Call, role: string | null) =>
  access === 'public' || (access !== 'device' && (role === null || access.some((one) => one === role)))

/** Checks every read, with ids taken from the lists. */
export async function reads(run: Run) {
  for (const call of calls.filter(({ name, route }) => route.method === 'GET' && run.wants(name))) await read(run, call)
}

async function read({ backend, viewer, ...run }: Run, call: Call) {
  const trial = { level: 'reads', call } as const
  if (!isRead(call)) return run.skips(trial, 'changes something when it succeeds')
  if (!viewer) return run.skips(trial, 'nobody is signed in')
  if (!isAllowed(call, viewer.role)) return run.skips(trial, `not for the role ${viewer.role}`)
  const inputs = await inputsOf(backend, call)
  if (typeof inputs === 'string') return run.skips(trial, inputs)
  const asks = inputs.length === 0 ? [() => backend.read(call.name)] : inputs.map((input) => () => backend.ask(call, input))
  await run.tries(
    trial,
    () => mostTelling(asks),
    (answer) => judge(call.route, answer),
  )
}

/** The first response that is not empty, or else the first of all. */
async function mostTelling(asks: (() => Promise<Answer>)[]): Promise<Answer> {
  let first: Answer | undefined
  for (const ask of asks) {
    const answer = await ask()
    if (answer.status >= 500 || (answer.status < 300 && !isEmpty(answer.body))) return answer
    first ??= answer
  }
  return first!
}
