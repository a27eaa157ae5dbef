import { type ErrorCode, errors, findParams, type OwnNames, type Route } from '#scripts/contracts/port.ts'
import { findDisagreements } from './disagreements.ts'
import { drift, type Finding, fail, tolerate } from './findings.ts'
import { type BackendResponse, keepsRequest, parseJson, redirectTarget } from './send.ts'

/** Findings for a response that should be a success; errors that the endpoint declares are accepted too. */
export function evaluateSuccess(route: Route, response: BackendResponse, names: OwnNames = {}): Finding[] {
  const found = findDeviations(route, response, names)
  if (hasFailed(found) || isSuccess(response)) return found
  const code = errorCode(response)
  const isDeclared = route.errors?.some((own) => (code ? own === code : errors[own] === response.status))
  return isDeclared ? found : [...withoutErrorBody(found), fail('status', `${describeStatus(response)} instead of a success`)]
}

export function evaluateError(route: Route, response: BackendResponse, wanted: ErrorCode | number): Finding[] {
  const found = findDeviations(route, response)
  if (hasFailed(found)) return found
  const status = typeof wanted === 'number' ? wanted : errors[wanted]
  if (response.status !== status) {
    const expected = typeof wanted === 'number' ? status : `${status} ${wanted}`
    const message = `${describeStatus(response)} instead of ${expected}`
    const isSameToPortal = (wanted === 'invalid_credentials' ? SAME_AS_WRONG_PASSWORD : (SAME_TO_PORTAL[status] ?? [])).includes(
      response.status,
    )
    return [...withoutErrorBody(found), isSameToPortal ? tolerate('other-refusal', 'status', { message }) : fail('status', message)]
  }
  const code = errorCode(response)
  if (typeof wanted === 'number' || code === '' || code === wanted || found.some(({ path }) => path === 'code')) return found
  return [...found, tolerate('error-code', 'code', { message: `${code} instead of ${wanted}` })]
}

/** Other statuses of a rejection for which the portal shows the same message or page. */
const SAME_TO_PORTAL: Record<number, readonly number[]> = { 400: [422], 401: [403], 404: [400, 403, 410] }
const SAME_AS_WRONG_PASSWORD = [400, 403]

/** The body of an unexpected error adds no information. */
export const withoutErrorBody = <T extends Finding>(found: readonly T[]) => found.filter(({ habit }) => habit !== 'error-body')

const hasFailed = (found: readonly Finding[]) => found.some(({ verdict }) => verdict === 'fail')

const describeStatus = (response: BackendResponse) => `${response.status} ${errorCode(response)}`.trim()

/** The portal accepts every success status. */
export const isSuccess = ({ status }: Pick<BackendResponse, 'status'>) => status >= 200 && status <= 299

export function errorCode({ body }: BackendResponse): string {
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : ''
}

export function findDeviations(route: Route, response: BackendResponse, names: OwnNames = {}): Finding[] {
  const moved = findRedirects(response)
  if (moved.some(({ verdict }) => verdict === 'fail')) return moved
  const { sent, status, contentType, body } = response
  const answered = {
    method: route.method,
    query: {},
    params: findParams(route, sent.url.pathname),
    body: sent.body === undefined ? {} : parseJson(sent.body),
    status,
    contentType,
    answer: body,
  }
  const found = findDisagreements(route, answered, names)
  return [
    ...moved,
    ...found
      .filter(({ side }) => side === 'response')
      .map(({ side: _, ...one }) => ({ ...one, message: describeFinding(one.path, one.message, response) })),
  ]
}

const describeFinding = (path: string, message: string, response: BackendResponse) =>
  path === 'code' && errorCode(response) ? `${response.status} ${errorCode(response)} is ${message}` : message

/** A portal follows redirects, so they count as drift as long as method, body and token survive. */
function findRedirects({ sent, status, headers, redirects }: BackendResponse): Finding[] {
  const to = redirectTarget(status, headers.get('location'))
  if (to && keepsRequest(sent.method, status)) return [fail('redirect', `${status} to ${to}, without end`)]
  if (to) return [fail('redirect', `${status} to ${to}: the body of a ${sent.method} is lost`)]
  return redirects.map((one) => {
    const said = `${one.status} to ${one.to.pathname}`
    return one.to.origin === sent.url.origin ? drift('redirect', said) : fail('redirect', `${said} of ${one.to.origin}: the token is lost`)
  })
}
