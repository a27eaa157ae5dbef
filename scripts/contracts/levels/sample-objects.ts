import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod/mini'
import { isRow, type Row } from '#scripts/contracts/client/backend.ts'
import type { CleanUp, TestObject } from '#scripts/contracts/client/clean-up.ts'
import { getEndpoint } from '#scripts/contracts/client/endpoints.ts'
import { fail } from '#scripts/contracts/client/findings.ts'
import { evaluateSuccess, isSuccess } from '#scripts/contracts/client/judge.ts'
import type { Level, Run } from '#scripts/contracts/client/run.ts'
import { Unreachable } from '#scripts/contracts/client/send.ts'
import { getSuccess, type RequestInput, type Route, readTolerantly } from '#scripts/contracts/port.ts'

type Kind = {
  create: string
  list: string
  get?: string
  /** Update endpoint, with a body that changes one field. */
  change?: { name: string; body: Row }
  remove: string
  mark: string
  body(mark: string, now: Date): Row
  idOf(row: Row, made: TestObject): RequestInput
}

const HOUR_MS = 3_600_000
const byId = ({ id }: Row): RequestInput => ({ params: { id } })

const kinds: Record<TestObject['kind'], Kind> = {
  tags: {
    create: 'tags.create',
    list: 'tags.list',
    change: { name: 'tags.update', body: { color: '#7a3fb2' } },
    remove: 'tags.remove',
    mark: 'name',
    body: (name) => ({ name, color: '#1f6fb2' }),
    idOf: byId,
  },
  contacts: {
    create: 'contacts.create',
    list: 'contacts.list',
    change: { name: 'contacts.update', body: { phone: '+47 21 00 00 00' } },
    remove: 'contacts.remove',
    mark: 'name',
    body: (name) => ({ name, email: `${name}@example.com` }),
    idOf: byId,
  },
  places: {
    create: 'places.create',
    list: 'places.list',
    get: 'places.get',
    change: { name: 'places.update', body: { radius: 250 } },
    remove: 'places.remove',
    mark: 'name',
    body: (name) => ({ name, address: 'Null Island', type: 'other', lat: 0, lng: 0 }),
    idOf: byId,
  },
  links: {
    create: 'links.create',
    list: 'links.listOf',
    get: 'links.read',
    remove: 'links.remove',
    mark: 'label',
    body: (label, now) => ({ label, end_date: new Date(now.getTime() + HOUR_MS).toISOString() }),
    idOf: ({ uuid }) => ({ params: { uuid } }),
  },
  alerts: {
    create: 'alerts.create',
    list: 'alerts.list',
    get: 'alerts.get',
    change: { name: 'alerts.update', body: { trigger: 'leave' } },
    remove: 'alerts.remove',
    mark: 'name',
    body: (name) => ({ name }),
    idOf: byId,
  },
  keys: {
    create: 'deviceKeys.create',
    list: 'deviceKeys.list',
    remove: 'deviceKeys.remove',
    mark: 'label',
    body: (label) => ({ label }),
    idOf: ({ id: key }, { device: id }) => ({ params: { id, key } }),
  },
}

export const getKind = (name: TestObject['kind']) => kinds[name]

const NAME_PREFIX = 'contracts-check-'

type SampleObject = { kind: TestObject['kind']; device?: TestObject['device']; body?: Row }

/** Records an object with a unique name in the clean-up file, before it is created. */
export const planObject = (cleanUp: CleanUp, { kind, device }: SampleObject) =>
  cleanUp.add({ kind, mark: NAME_PREFIX + randomUUID().slice(0, 8), ...(device !== undefined && { device }) })

export function createObject({ backend, io }: Run, made: TestObject, body: Row = {}) {
  const { create: name, body: bodyOf } = getKind(made.kind)
  return backend.request(getEndpoint(name), { ...listInput(made), body: { ...bodyOf(made.mark, io.now()), ...body } })
}

/** Creates, reads, updates and removes a test object; if the removal fails, it stays in the clean-up file. */
export async function checkLifecycle(run: Run, level: Level, cleanUp: CleanUp, wanted: SampleObject) {
  const kind = getKind(wanted.kind)
  const made = planObject(cleanUp, wanted)
  const endpoint = getEndpoint(kind.create)
  const response = await run.checkResponse(
    { level, endpoint },
    () => createObject(run, made, wanted.body),
    (given) => evaluateSuccess(endpoint.route, given),
  )
  if (!response || !isSuccess(response)) return removeObject(run, cleanUp, made)
  const row = (await checkPresence(run, level, made, true)) ?? (response.body as Row)
  const input = kind.idOf(row, made)
  const get = kind.get && getEndpoint(kind.get)
  if (get)
    await run.checkResponse(
      { level, endpoint: get, title: 'after creating' },
      () => run.backend.request(get, input),
      (given) => evaluateSuccess(get.route, given),
    )
  if (kind.change) await checkUpdate(run, level, { ...kind.change, row, input })
  const remove = getEndpoint(kind.remove)
  await run.checkResponse(
    { level, endpoint: remove },
    () => run.backend.request(remove, input),
    (given) => evaluateSuccess(remove.route, given),
  )
  await checkPresence(run, level, made, false)
  await removeObject(run, cleanUp, made)
}

/** Checks that a partial update leaves the other fields as they were. */
async function checkUpdate(run: Run, level: Level, { name, body, row, input }: { name: string; body: Row; row: Row; input: RequestInput }) {
  const endpoint = getEndpoint(name)
  const wanted = readRow(endpoint.route, { ...row, ...body })
  // A field unknown to the contract, such as `updated_at`, may change with every update, and the response may be partial.
  const changed = (given: Row) => {
    const is = readRow(endpoint.route, { ...wanted, ...given })
    return Object.keys(wanted)
      .filter((field) => field in given && !isDeepStrictEqual(is[field], wanted[field]))
      .map((field) => fail(field, field in body ? 'was not updated' : 'changed although it was not in the update'))
  }
  await run.checkResponse(
    { level, endpoint },
    () => run.backend.request(endpoint, { ...input, body }),
    (given) => [
      ...evaluateSuccess(endpoint.route, { ...given, sent: { ...given.sent, body: JSON.stringify(fillForm({ ...row, ...body })) } }),
      ...(isSuccess(given) && isRow(given.body) ? changed(given.body) : []),
    ],
  )
}

/** The portal sends whole forms and takes an empty response as success; a place has no coordinates unless it was moved. */
const fillForm = ({ lat: _, lng: __, ...fields }: Row): Row => fields

/** The fields of the contract, as the portal reads them. */
function readRow(route: Route, row: Row): Row {
  const reading = readTolerantly(getSuccess(route).schema as z.ZodMiniType, row)
  return reading.ok && isRow(reading.value) ? reading.value : {}
}

export async function removeObject(run: Run, cleanUp: CleanUp, made: TestObject) {
  const { remove: name, idOf } = getKind(made.kind)
  const endpoint = getEndpoint(name)
  try {
    const { response: list, rows } = await findRows(run, made)
    // Without the list the outcome is unknown; without the tracker (404) the object is gone.
    if (list.status > 299 && list.status !== 404) return reportLeftover(run, endpoint.name, made, `${list.status}`)
    for (const row of rows) {
      const response = await run.backend.request(endpoint, idOf(row, made))
      if (response.status > 299 && response.status !== 404) return reportLeftover(run, endpoint.name, made, `${response.status}`)
    }
    cleanUp.remove(made)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    reportLeftover(run, endpoint.name, made, error.message)
  }
}

const reportLeftover = ({ report }: Run, name: string, { mark }: TestObject, note: string) =>
  report({ level: 'write', name, title: 'clean up', findings: [fail('', `${mark} is left behind; the next run tries again`)], note })

/** Checks whether the list contains the object, and reports unexpected results. */
async function checkPresence(run: Run, level: Level, made: TestObject, wanted: boolean): Promise<Row | undefined> {
  const endpoint = getEndpoint(getKind(made.kind).list)
  let row: Row | undefined
  const title = wanted ? 'after creating' : 'after removing'
  const response = await run.checkResponse(
    { level, endpoint, title },
    async () => {
      const { rows, response: given } = await findRows(run, made)
      row = rows[0]
      return given
    },
    (given) => {
      const isWrong = isSuccess(given) && (row !== undefined) !== wanted
      return [
        ...evaluateSuccess(endpoint.route, given),
        ...(isWrong ? [fail('', wanted ? 'the created object is missing' : 'the removed object is still listed')] : []),
      ]
    },
  )
  return response ? row : undefined
}

async function findRows({ backend }: Run, made: TestObject) {
  const { list, mark } = getKind(made.kind)
  const endpoint = getEndpoint(list)
  const response = await backend.request(endpoint, listInput(made))
  return { response, rows: (await backend.rowsOf(endpoint, response)).filter((row) => row[mark] === made.mark) }
}

const listInput = ({ device }: TestObject) => (device === undefined ? {} : { params: { id: device } })
