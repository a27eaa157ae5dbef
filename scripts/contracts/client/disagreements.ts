import { type Breach, findBreaches } from '#contracts/lib/breaches.ts'
import { findContentType, getSuccess, type Route } from '#contracts/lib/route.ts'
import { type Finding, fail, findUnlistedValues, tolerate } from './findings.ts'
import { type Answered, readAsPortal, weighResponse } from './tolerance.ts'

export type Disagreement = Finding & Pick<Breach, 'side'>

/**
 * Where a request and its response deviate from the contract: breaches as in the mock server's journal, and values outside of their list.
 * What the portal copes with does not fail.
 */
export function findDisagreements(route: Route, answered: Answered): Disagreement[] {
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

/** The portal takes every text that is JSON for JSON, whatever its content type; `parsed` is absent when it is none. */
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
  if (!readAsPortal(route, empty).ok) return { found: [fail('content-type', message)] }
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
