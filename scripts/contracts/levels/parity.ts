import { type Backend, listRows, type Row } from '#scripts/contracts/client/backend.ts'
import { type Endpoint, endpoints } from '#scripts/contracts/client/endpoints.ts'
import { drift, type Finding } from '#scripts/contracts/client/findings.ts'
import { errorCode } from '#scripts/contracts/client/judge.ts'
import type { Run, Viewer } from '#scripts/contracts/client/run.ts'
import { type BackendResponse, Unreachable } from '#scripts/contracts/client/send.ts'
import { findInputs, isAllowed, isRead } from './reads.ts'

/** Headers whose presence the portal relies on. */
const COMPARED_HEADERS = ['etag', 'content-disposition']

type OtherBackend = { backend: Backend; viewer: Viewer | null }

/** Sends the same reads to two servers and reports differences as drift, since neither side is the reference. */
export async function checkParity(run: Run, there: OtherBackend) {
  for (const endpoint of endpoints.filter((each) => isRead(each) && run.isSelected(each.name))) {
    await compare(run, there, endpoint, 'no token')
    if (run.viewer && there.viewer && isAllowed(endpoint, run.viewer.role) && isAllowed(endpoint, there.viewer.role))
      await compare(run, there, endpoint, '')
  }
}

async function compare({ backend, report }: Run, there: OtherBackend, endpoint: Endpoint, title: '' | 'no token') {
  const result = { level: 'parity', name: endpoint.name, title } as const
  try {
    const [here, other] = [await sendRead(backend, endpoint, title), await sendRead(there.backend, endpoint, title)]
    if (typeof here === 'string' || typeof other === 'string') return
    report({ ...result, findings: findDifferences(here, other), note: `${here.status} here, ${other.status} there` })
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    report({ ...result, verdict: 'unreachable', findings: [], note: error.message })
  }
}

async function sendRead(backend: Backend, endpoint: Endpoint, title: string): Promise<BackendResponse | string> {
  const inputs = title === 'no token' ? [{ params: { id: 0, uuid: 0, reference: 0 } }] : await findInputs(backend, endpoint)
  if (typeof inputs === 'string') return inputs
  if (inputs.length === 0) return backend.read(endpoint.name)
  return backend.request(endpoint, inputs[0], title === 'no token' ? { token: null } : {})
}

function findDifferences(here: BackendResponse, there: BackendResponse): Finding[] {
  const result = ({ status, body }: BackendResponse) => [status, errorCode({ body } as BackendResponse)].join(' ').trim()
  if (here.status !== there.status) return [drift('status', `${result(here)} here, ${result(there)} there`)]
  return [...headersDrift(here, there), ...shapeDrift(collectShape(here.body), collectShape(there.body)), ...orderDrift(here, there)]
}

function headersDrift(here: BackendResponse, there: BackendResponse): Finding[] {
  const [type, otherType] = [mediaType(here), mediaType(there)]
  const telling = here.status < 400 ? COMPARED_HEADERS : []
  const missing = telling.filter((name) => here.headers.has(name) !== there.headers.has(name))
  return [
    ...(type === otherType ? [] : [drift('content-type', `${type} here, ${otherType} there`)]),
    ...missing.map((name) => drift(name, here.headers.has(name) ? 'only here' : 'only there')),
  ]
}

const mediaType = ({ contentType }: BackendResponse) => contentType.split(';', 1)[0] || 'none'

/** The same rows in another order, or different rows sorted by different fields. */
function orderDrift(here: BackendResponse, there: BackendResponse): Finding[] {
  const [keys, otherKeys] = [rowIds(here), rowIds(there)]
  if (keys.toSorted().join() === otherKeys.toSorted().join())
    return keys.join() === otherKeys.join() ? [] : [drift('order', 'same rows in another order')]
  const [one, other] = [sortOrders(listRows(here)), sortOrders(listRows(there))]
  if (one.length === 0 || other.length === 0 || one.some((order) => other.includes(order))) return []
  return [drift('order', `by ${one.join(', ')} here, by ${other.join(', ')} there`)]
}

const rowIds = (response: BackendResponse) => listRows(response).map(({ id, uuid, reference }) => String(id ?? uuid ?? reference))

/** The field paths of a response with their types; all elements of a list share one path. */
export function collectShape(value: unknown, path = '', shape = new Map<string, Set<string>>()) {
  const types = shape.get(path) ?? new Set()
  shape.set(path, types.add(typeName(value)))
  if (Array.isArray(value)) for (const element of value) collectShape(element, join(path, '*'), shape)
  else if (isHolder(value)) for (const [key, inner] of Object.entries(value)) collectShape(inner, join(path, key), shape)
  return shape
}

type Shape = ReturnType<typeof collectShape>

/** Fields that only one of two responses has, or that differ in type. Null is compatible with every type. */
export function shapeDrift(here: Shape, there: Shape): Finding[] {
  return [...new Set([...here.keys(), ...there.keys()])].flatMap((path) => {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')))
    const [one, other] = [typesOf(here.get(path)), typesOf(there.get(path))]
    if (!one || !other) {
      // Comparable only if both sides have the object that contains the field; list elements may be absent.
      const isComparable = !/(^|\.)\*$/.test(path) && [here, there].every((shape) => shape.get(parent)?.has('object'))
      return isComparable ? [drift(path, one ? 'only here' : 'only there')] : []
    }
    const isAlike = one.length === 0 || other.length === 0 || one.some((type) => other.includes(type))
    return isAlike ? [] : [drift(path, `${one.join(' or ')} here, ${other.join(' or ')} there`)]
  })
}

const typesOf = (types: Set<string> | undefined) => types && [...types].filter((type) => type !== 'null')

export function sortOrders(rows: readonly Row[]): string[] {
  return Object.keys(rows[0] ?? {}).flatMap((field) => {
    const values = rows.map((row) => row[field])
    if (new Set(values).size < 2 || !values.every((value) => typeof value === 'string' || typeof value === 'number')) return []
    const steps = values.slice(1).map((value, index) => compareValues(values[index]!, value!))
    if (steps.every((step) => step <= 0)) return [`${field} ascending`]
    return steps.every((step) => step >= 0) ? [`${field} descending`] : []
  })
}

const compareValues = (a: string | number, b: string | number) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))

const typeName = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)

const join = (...parts: string[]) => parts.filter(Boolean).join('.')

const isHolder = (value: unknown): value is Row => typeof value === 'object' && value !== null
