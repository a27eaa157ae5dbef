import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { CallInput } from '#contracts/lib/client.ts'
import { isRow, type Row, rowsOf } from '#scripts/contracts/client/backend.ts'
import type { CleanUp, Made } from '#scripts/contracts/client/clean-up.ts'
import { callNamed } from '#scripts/contracts/client/endpoints.ts'
import { fail } from '#scripts/contracts/client/findings.ts'
import { isSuccess, judge } from '#scripts/contracts/client/judge.ts'
import type { Level, Run } from '#scripts/contracts/client/run.ts'
import { Unreachable } from '#scripts/contracts/client/send.ts'

/** How test objects of one kind are created, found and removed. */
type Kind = {
  create: string
  list: string
  get?: string
  /** Update endpoint, with a body that changes one field. */
  change?: { name: string; body: Row }
  remove: string
  /** Field that holds the unique name. */
  mark: string
  body(mark: string, now: Date): Row
  idOf(row: Row, made: Made): CallInput
}

const HOUR_MS = 3_600_000
const byId = ({ id }: Row): CallInput => ({ params: { id } })

const kinds: Record<Made['kind'], Kind> = {
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

export const kindOf = (name: Made['kind']) => kinds[name]

const MARK = 'contracts-check-'

type Wanted = { kind: Made['kind']; device?: number; body?: Row }

/** Notes an object with a unique name in the clean-up file, before it is created. */
export const plan = (cleanUp: CleanUp, { kind, device }: Wanted) =>
  cleanUp.begin({ kind, mark: MARK + randomUUID().slice(0, 8), ...(device !== undefined && { device }) })

export function create({ backend, io }: Run, made: Made, body: Row = {}) {
  const { create: name, body: bodyOf } = kindOf(made.kind)
  return backend.ask(callNamed(name), { ...of(made), body: { ...bodyOf(made.mark, io.now()), ...body } })
}

/** Creates, reads, updates and removes a test object; if the removal fails, it stays in the clean-up file. */
export async function makeAndRemove(run: Run, level: Level, cleanUp: CleanUp, wanted: Wanted) {
  const kind = kindOf(wanted.kind)
  const made = plan(cleanUp, wanted)
  const call = callNamed(kind.create)
  const answer = await run.tries(
    { level, call },
    () => create(run, made, wanted.body),
    (given) => judge(call.route, given),
  )
  if (!answer || !isSuccess(call.route, answer)) return clean(run, cleanUp, made)
  const row = (await holds(run, level, made, true)) ?? (answer.body as Row)
  const input = kind.idOf(row, made)
  const get = kind.get && callNamed(kind.get)
  if (get)
    await run.tries(
      { level, call: get, title: 'what was made' },
      () => run.backend.ask(get, input),
      (given) => judge(get.route, given),
    )
  if (kind.change) await change(run, level, { ...kind.change, row, input })
  const remove = callNamed(kind.remove)
  await run.tries(
    { level, call: remove },
    () => run.backend.ask(remove, input),
    (given) => judge(remove.route, given),
  )
  await holds(run, level, made, false)
  await clean(run, cleanUp, made)
}

/** Checks that a partial update leaves the other fields as they were. */
async function change(run: Run, level: Level, { name, body, row, input }: { name: string; body: Row; row: Row; input: CallInput }) {
  const call = callNamed(name)
  const wanted = { ...row, ...body }
  const changed = (given: unknown) =>
    Object.keys(wanted)
      .filter((field) => !isDeepStrictEqual((given as Row)[field], wanted[field]))
      .map((field) => fail(field, field in body ? 'is not what it was changed to' : 'was left out of the change and is another now'))
  await run.tries(
    { level, call },
    () => run.backend.ask(call, { ...input, body }),
    (given) => [...judge(call.route, given), ...(isSuccess(call.route, given) && isRow(given.body) ? changed(given.body) : [])],
  )
}

/** Removes every object with the unique name. */
export async function clean(run: Run, cleanUp: CleanUp, made: Made) {
  const { remove: name, idOf } = kindOf(made.kind)
  const call = callNamed(name)
  try {
    const { answer: list, rows } = await rowsLike(run, made)
    // Without the list the outcome is unknown; without the tracker (404) the object is gone.
    if (list.status > 299 && list.status !== 404) return told(run, call.name, made, `${list.status}`)
    for (const row of rows) {
      const answer = await run.backend.ask(call, idOf(row, made))
      if (answer.status > 299 && answer.status !== 404) return told(run, call.name, made, `${answer.status}`)
    }
    cleanUp.done(made)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    told(run, call.name, made, error.message)
  }
}

const told = ({ report }: Run, name: string, { mark }: Made, note: string) =>
  report({ level: 'write', name, title: 'clean up', findings: [fail('', `${mark} is left behind; the next run tries again`)], note })

/** Checks whether the list contains the object, and reports it if that is not as expected. */
async function holds(run: Run, level: Level, made: Made, wanted: boolean): Promise<Row | undefined> {
  const call = callNamed(kindOf(made.kind).list)
  let row: Row | undefined
  const title = wanted ? 'after creating' : 'after removing'
  const answer = await run.tries(
    { level, call, title },
    async () => {
      const { rows, answer: given } = await rowsLike(run, made)
      row = rows[0]
      return given
    },
    (given) => {
      const isWrong = isSuccess(call.route, given) && (row !== undefined) !== wanted
      return [
        ...judge(call.route, given),
        ...(isWrong ? [fail('', wanted ? 'what was created is missing' : 'what was removed is still there')] : []),
      ]
    },
  )
  return answer ? row : undefined
}

async function rowsLike({ backend }: Run, made: Made) {
  const { list, mark } = kindOf(made.kind)
  const answer = await backend.ask(callNamed(list), of(made))
  return { answer, rows: rowsOf(answer).filter((row) => row[mark] === made.mark) }
}

const of = ({ device }: Made) => (device === undefined ? {} : { params: { id: device } })
