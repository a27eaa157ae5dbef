import { type ErrorCode, errors } from '#contracts/lib/errors.ts'
import { findContentType, type Route } from '#contracts/lib/route.ts'
import { drift, type Finding, fail, findDisagreements } from './findings.ts'
import { type BackendResponse, keepsRequest, redirectTarget } from './send.ts'

/** Findings for a response that should be a success; errors that the endpoint declares itself are accepted too. */
export function evaluateSuccess(route: Route, response: BackendResponse): Finding[] {
  const found = findDeviations(route, response)
  const code = errorCode(response)
  if (found.some(({ verdict }) => verdict === 'fail') || isSuccess(route, response)) return found
  return route.errors?.some((own) => own === code) ? found : [...found, fail('status', `${response.status} ${code} instead of a success`)]
}

export function evaluateError(route: Route, response: BackendResponse, wanted: ErrorCode | number): Finding[] {
  const found = findDeviations(route, response)
  if (found.some(({ verdict }) => verdict === 'fail')) return found
  const isMeant = typeof wanted === 'number' ? response.status === wanted : errorCode(response) === wanted
  const expected = typeof wanted === 'number' ? wanted : `${errors[wanted]} ${wanted}`
  return isMeant ? found : [...found, fail('status', `${`${response.status} ${errorCode(response)}`.trim()} instead of ${expected}`)]
}

export const isSuccess = (route: Route, { status }: BackendResponse) => status in route.response

export function errorCode({ body }: BackendResponse): string {
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : ''
}

export function findDeviations(route: Route, response: BackendResponse): Finding[] {
  const moved = findRedirects(response)
  if (moved.some(({ verdict }) => verdict === 'fail')) return moved
  const { status, contentType, body } = response
  const schema = route.response[status as keyof Route['response']]
  const isFile = schema !== undefined && findContentType(schema) !== undefined
  if (!isFile && status !== 204 && !contentType.includes('json'))
    return [...moved, fail('content-type', `${contentType || 'none'} with status ${status} instead of JSON`)]
  const found = findDisagreements(route, { method: route.method, query: {}, body: {}, status, contentType, answer: body })
  return [
    ...moved,
    ...found
      .filter(({ side }) => side === 'response')
      .map(({ verdict, path, message }) => ({ verdict, path, message: describeFinding(path, message, response) })),
  ]
}

const describeFinding = (path: string, message: string, response: BackendResponse) =>
  path === 'code' && errorCode(response) ? `${response.status} ${errorCode(response)} is ${message}` : message

/** A portal follows redirects, so they are drift as long as method, body and token survive. */
function findRedirects({ sent, status, headers, redirects }: BackendResponse): Finding[] {
  const to = redirectTarget(status, headers.get('location'))
  if (to && keepsRequest(sent.method, status)) return [fail('redirect', `${status} to ${to}, without end`)]
  if (to) return [fail('redirect', `${status} to ${to}: the body of a ${sent.method} is lost`)]
  return redirects.map((one) => {
    const said = `${one.status} to ${one.to.pathname}`
    return one.to.origin === sent.url.origin ? drift('redirect', said) : fail('redirect', `${said} of ${one.to.origin}: the token is lost`)
  })
}
