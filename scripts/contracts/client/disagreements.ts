import type * as z from 'zod/mini'
import {
  type Breach,
  type Deviation,
  type Exchange,
  findBreaches,
  findContentType,
  getSuccess,
  type OwnNames,
  type Reading,
  type Route,
  readTolerantly,
} from '#scripts/contracts/port.ts'
import { type Finding, fail, findUnlistedValues, tolerate } from './findings.ts'
import { wordHabit } from './habits.ts'

/** A request and its response with the parameters of its path. */
type Answered = Exchange & { params: Record<string, unknown> }

/**
 * Converts findings to their effect on the portal: those it copes with become `tolerated`, or `enum?` for a value that a closed list lacks;
 * those that break it stay failures.
 */
function weighResponse(route: Route, answered: Answered, strict: Finding[], names: OwnNames): Finding[] {
  const { status } = answered
  if (strict.every(({ verdict }) => verdict === 'drift+')) return strict
  if (status >= 400) return weighError(strict)
  if (status < 200 || status > 299) return strict
  return findContentType(getSuccess(route).schema)
    ? strict.map((one) => weighFile(one, answered))
    : weighSuccess(route, answered, strict, names)
}

/** The portal chooses the text of an error by its code, or by its status if the body has no code. */
function weighError(strict: Finding[]): Finding[] {
  const shape = strict.filter(({ verdict, path }) => verdict === 'fail' && path !== 'status' && !isForeignCode(path, strict))
  const others = strict
    .filter((one) => !shape.includes(one))
    .map((one) => (one.path === 'code' ? tolerate('error-code', 'code', { message: one.message }) : one))
  if (shape.length === 0) return others
  const fields = shape.map(({ path }) => path).filter(Boolean)
  return [...others, tolerate('error-body', '', fields.length > 0 ? { message: `an error without ${fields.join(' and ')}` } : {})]
}

/** The body has the right shape, but a code that this call does not declare. */
const isForeignCode = (path: string, strict: Finding[]) =>
  path === 'code' && strict.some((one) => one.message === 'not a code of this call')

/** The portal saves any response as a file, but a text page is not a file, and a stream must be a stream. */
function weighFile(one: Finding, { contentType }: Answered): Finding {
  const isSaved = one.path === 'content-type' && contentType !== '' && !/json|html|event-stream/.test(contentType + one.message)
  return isSaved ? tolerate('other-content-type', one.path, { message: one.message }) : one
}

function weighSuccess(route: Route, answered: Answered, strict: Finding[], names: OwnNames): Finding[] {
  const { status, answer } = answered
  // After a change without a response body the portal reads the object again.
  if (status === 204 && (route.method === 'PATCH' || readAsPortal(route, answered, names).ok)) return strict.map(weighRest)
  const schema = schemaFor(route, status)
  const reading = readAsPortal(route, answered, names)
  const unlisted = findUnlistedValues(schema, reading.ok ? reading.value : answer).filter(({ isOpen }) => !isOpen)
  // The finding about the field that breaks a response already reports it.
  const deviations = mergePaths(reading.deviations).filter(({ path, habit }) => reading.ok || path !== '' || habit !== 'unreadable')
  const read = deviations.flatMap(({ path, habit }): Finding[] => {
    const messages = unlisted.filter((one) => one.path === path).map(({ message }) => message)
    if (habit === 'unknown-value') return (messages.length > 0 ? messages : ['']).map((message) => unlistedAt(path, message))
    const [said] = strict.filter((one) => one.path === path)
    // A response is unusable if ids or coordinates are missing, or have a value of another kind.
    if (!reading.ok && (habit === 'absent' || habit === 'unreadable')) return [said ?? fail(path, wordHabit(habit).came)]
    if (habit === 'entry-left-out') return [weighOmitted(reading, path, answer)]
    const isInLeftOut = deviations.some((one) => one.habit === 'entry-left-out' && path.startsWith(`${one.path}.`))
    return [
      tolerate(habit, path, {
        ...(habit === 'unreadable' && said && { message: said.message }),
        ...((habit === 'absent' || habit === 'unreadable') && isInLeftOut && { effect: 'shown as unknown, or its entry is not shown' }),
      }),
    ]
  })
  const rest = strict.filter(({ verdict, path }) => verdict === 'drift+' || !isCovered(path, read, reading.ok))
  const weighed = [...rest.map((one) => (reading.ok && one.verdict !== 'drift+' ? weighRest(one) : one)), ...read]
  const isReported = reading.ok || weighed.some(({ verdict }) => verdict === 'fail')
  return isReported ? weighed : [...weighed, fail('', 'the portal cannot read this answer')]
}

const weighRest = ({ path, message }: Finding) =>
  path === 'status' ? tolerate('other-status', path, { message }) : tolerate('read-anyway', path, { message })

const unlistedAt = (path: string, message: string): Finding => ({
  ...tolerate('unknown-value', path, message ? { message } : {}),
  verdict: 'enum?',
})

/** A finding inside an omitted entry, or inside a body of another form, is explained by that. */
const isCovered = (path: string, read: readonly Finding[], isRead: boolean) =>
  path !== 'status' &&
  read.some(
    (one) => one.path === path || (isRead && one.path === '') || (one.habit === 'entry-left-out' && path.startsWith(`${one.path}.`)),
  )

/** Reads a success as the portal does: after a change with an empty or partial response, the object is what was sent. */
function readAsPortal(route: Route, { params, body: sent, status, answer }: Answered, names: OwnNames): Reading {
  const given = status === 204 || answer === '' ? undefined : answer
  const reading = readTolerantly(schemaFor(route, status), given, names)
  if (reading.ok || route.method === 'GET' || route.method === 'POST') return reading
  const whole = { ...params, ...(typeof sent === 'object' ? sent : {}), ...(typeof given === 'object' ? given : {}) }
  return readTolerantly(getSuccess(route).schema as z.ZodMiniType, whole, names)
}

const schemaFor = (route: Route, status: number): z.ZodMiniType =>
  route.response[status as keyof Route['response']] ?? (getSuccess(route).schema as z.ZodMiniType)

/** `[].tracker_status.battery` is `*.tracker_status.battery` in a report. */
const mergePaths = (deviations: readonly Deviation[]) =>
  deviations.map(({ path, habit }) => ({ path: path.replaceAll('[]', '.*').replace(/^\./, ''), habit }))

/** A list without a single displayable entry is useless. */
function weighOmitted(reading: Reading, path: string, answer: unknown): Finding {
  const omitted = reading.ok ? reading.omitted : 0
  const all = path === '*' || path === 'results.*' ? countEntries(answer) : 0
  const effect = `${all > 0 ? `${omitted} of ${all} entries` : `${omitted} ${omitted === 1 ? 'entry' : 'entries'}`} ${omitted === 1 ? 'is' : 'are'} not shown`
  const finding = tolerate('entry-left-out', path, { effect })
  return all > 0 && omitted === all ? { ...finding, verdict: 'fail' } : finding
}

function countEntries(answer: unknown): number {
  if (Array.isArray(answer)) return answer.length
  const lists = typeof answer === 'object' && answer !== null ? Object.values(answer).filter(Array.isArray) : []
  return lists[0]?.length ?? 0
}

export type Disagreement = Finding & Pick<Breach, 'side'>

/**
 * Returns the deviations of a request and its response from the contract: breaches as in the mock server's journal, and values outside of
 * their list. Deviations that the portal copes with are no failures.
 */
export function findDisagreements(route: Route, answered: Answered, names: OwnNames = {}): Disagreement[] {
  const { found, parsed } = readContent(route, answered)
  if (!parsed) return [...listRequest(route, answered), ...found.map(atResponse)]
  const schema = route.response[parsed.status as keyof Route['response']]
  const values = schema && !findContentType(schema) ? findUnlistedValues(schema, parsed.answer) : []
  const closed = new Map(values.filter(({ isOpen }) => !isOpen).map(({ path, message }) => [path, message]))
  const strict = findBreaches(route, parsed).filter(({ side }) => side === 'response')
  const open = values.filter(({ isOpen }) => isOpen).map(({ path, message }): Finding => ({ verdict: 'drift+', path, message }))
  const weighed = weighResponse(
    route,
    parsed,
    strict.map((breach) => toFinding(breach, closed)),
    names,
  )
  return [...listRequest(route, answered), ...[...found, ...weighed, ...open].map(atResponse)]
}

const atResponse = (finding: Finding): Disagreement => ({ ...finding, side: 'response' })

const listRequest = (route: Route, answered: Answered): Disagreement[] =>
  findBreaches(route, answered)
    .filter(({ side }) => side === 'request')
    .map((breach) => ({ ...toFinding(breach), side: 'request' }))

function toFinding({ kind, path, message }: Breach, closed = new Map<string, string>()): Finding {
  if (kind === 'unknown') return { verdict: 'drift+', path, message }
  const value = closed.get(path)
  return value === undefined ? fail(path, message) : { verdict: 'enum?', path, message: value }
}

type Content = { found: Finding[]; parsed?: Answered }

/** The portal parses every JSON text, whatever its content type; `parsed` is absent for other text. */
function readContent(route: Route, answered: Answered): Content {
  const { status, contentType, answer } = answered
  const isFile = status < 300 && findContentType(getSuccess(route).schema) !== undefined
  const hasNoBody = status === 204 || (status >= 300 && status < 400) || answered.method === 'HEAD'
  if (isFile || hasNoBody || contentType.includes('json')) return { found: [], parsed: answered }
  const message = `${contentType || 'none'} with status ${status} instead of JSON`
  const parsed = typeof answer === 'string' ? parseJson(answer) : undefined
  if (parsed) return { found: [tolerate('other-content-type', 'content-type', { message })], parsed: { ...answered, answer: parsed } }
  if (status >= 400) return { found: [tolerate('error-body', 'content-type', { message })] }
  const empty = { ...answered, answer: undefined }
  if (!readAsPortal(route, empty, {}).ok) return { found: [fail('content-type', message)] }
  const isMeant = answer === '' && route.response[status as keyof Route['response']]?.safeParse(undefined).success
  return { found: isMeant ? [] : [tolerate('read-anyway', 'content-type', { message })] }
}

function parseJson(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined
  } catch {
    return undefined
  }
}
