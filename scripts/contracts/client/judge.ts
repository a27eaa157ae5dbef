import { type ErrorCode, errors } from '#contracts/lib/errors.ts'
import { contentTypeOf, type Route } from '#contracts/lib/route.ts'
import { disagreements, drift, type Finding, fail } from './findings.ts'
import { type Answer, keepsCall, sendsTo } from './send.ts'

/** Findings for a response that should be a success; errors that the endpoint declares itself are accepted too. */
export function judge(route: Route, answer: Answer): Finding[] {
  const found = differences(route, answer)
  const code = codeOf(answer)
  if (found.some(({ verdict }) => verdict === 'fail') || isSuccess(route, answer)) return found
  return route.errors?.some((own) => own === code) ? found : [...found, fail('status', `${answer.status} ${code} instead of a success`)]
}

/** Findings for a response that should be an error. */
export function judgeRefusal(route: Route, answer: Answer, wanted: ErrorCode | number): Finding[] {
  const found = differences(route, answer)
  if (found.some(({ verdict }) => verdict === 'fail')) return found
  const isMeant = typeof wanted === 'number' ? answer.status === wanted : codeOf(answer) === wanted
  const expected = typeof wanted === 'number' ? wanted : `${errors[wanted]} ${wanted}`
  return isMeant ? found : [...found, fail('status', `${`${answer.status} ${codeOf(answer)}`.trim()} instead of ${expected}`)]
}

export const isSuccess = (route: Route, { status }: Answer) => status in route.response

/** Error code of a response, or ''. */
export function codeOf({ body }: Answer): string {
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : ''
}

/** All deviations of a response from what its endpoint may return. */
export function differences(route: Route, answer: Answer): Finding[] {
  const moved = redirectsOf(answer)
  if (moved.some(({ verdict }) => verdict === 'fail')) return moved
  const { status, contentType, body } = answer
  const schema = route.response[status as keyof Route['response']]
  const isFile = schema !== undefined && contentTypeOf(schema) !== undefined
  if (!isFile && status !== 204 && !contentType.includes('json'))
    return [...moved, fail('content-type', `${contentType || 'none'} with status ${status} instead of JSON`)]
  const found = disagreements(route, { method: route.method, query: {}, body: {}, status, contentType, answer: body })
  return [
    ...moved,
    ...found
      .filter(({ side }) => side === 'response')
      .map(({ verdict, path, message }) => ({ verdict, path, message: saidOf(path, message, answer) })),
  ]
}

/** An undeclared error code is named in the message. */
const saidOf = (path: string, message: string, answer: Answer) =>
  path === 'code' && codeOf(answer) ? `${answer.status} ${codeOf(answer)} is ${message}` : message

/** A portal follows redirects, so they are drift as long as method, body and token survive. */
function redirectsOf({ sent, status, headers, redirects }: Answer): Finding[] {
  const to = sendsTo(status, headers.get('location'))
  if (to && keepsCall(sent.method, status)) return [fail('redirect', `${status} to ${to}, and on and on`)]
  if (to) return [fail('redirect', `${status} to ${to}: the body of a ${sent.method} is lost`)]
  return redirects.map((one) => {
    const said = `${one.status} to ${one.to.pathname}`
    return one.to.origin === sent.url.origin ? drift('redirect', said) : fail('redirect', `${said} of ${one.to.origin}: the token is lost`)
  })
}
