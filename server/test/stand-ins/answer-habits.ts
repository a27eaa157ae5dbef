import { readFileSync } from 'node:fs'
import type { Route } from '#contracts/lib/route.ts'
import { type Answer, type Habit, isObject, isSuccess, type Json, type JsonObject } from './habit.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' }

const failure = (status: number, json: Json): Answer => ({ status, headers: JSON_TYPE, json })
const htmlPage = (status: number): Answer => ({
  status,
  headers: HTML_TYPE,
  text: `<!doctype html><title>${status}</title><h1>Status ${status}</h1>`,
})

const textOf = (json: Json | undefined) => (isObject(json) && typeof json.detail === 'string' ? json.detail : 'Failed.')
const fieldsOf = (json: Json | undefined): JsonObject | undefined => (isObject(json) && isObject(json.errors) ? json.errors : undefined)

const failuresAs = (name: string, rewrite: (answer: Answer) => Answer): Habit => ({
  name,
  stage: 'answer',
  answer: (answer) => (isSuccess(answer.status) || answer.status < 400 ? answer : rewrite(answer)),
})

/** Reasons grouped by field, those without one as `non_field_errors`, everything except a 400 as `detail`. */
export const failuresAsDjango = failuresAs('failures as in Django', ({ status, json }) => {
  if (status !== 400) return failure(status, { detail: textOf(json) })
  return failure(status, fieldsOf(json) ?? { non_field_errors: [textOf(json)] })
})
export const failuresAsDetail = failuresAs('failures as detail', ({ status, json }) => failure(status, { detail: textOf(json) }))
export const failuresAsMessage = failuresAs('failures as message', ({ status, json }) => {
  const fields = fieldsOf(json)
  return failure(status, { message: textOf(json), ...(fields && { errors: fields }) })
})
export const failuresAsError = failuresAs('failures as error', ({ status, json }) => failure(status, { error: textOf(json) }))
export const failuresAsHtml = failuresAs('failures as HTML', ({ status }) => htmlPage(status))
export const failuresEmpty = failuresAs('failures without a body', ({ status }) => ({ status, headers: {} }))

/** The first request of each method to each path fails; the next one succeeds. */
export const failsOnce = (status: 429 | 503, retryAfterSeconds = 1): Habit => ({
  name: `${status} once`,
  stage: 'answer',
  refuse: (_about, _sent, earlier) =>
    earlier > 0
      ? undefined
      : { status, headers: { ...JSON_TYPE, 'retry-after': String(retryAfterSeconds) }, json: { detail: 'Try again later.' } },
})

export type TokenName = 'key' | 'access' | 'auth_token'

export const tokenAs = (name: TokenName): Habit => ({
  name: `the token as ${name}`,
  stage: 'shape',
  body: (body, { path }) => {
    if (path !== '/api/v1/auth/web_get_token/' || !isObject(body) || body.token === undefined) return body
    const { token, ...rest } = body
    return { ...rest, [name]: token }
  },
})

const schemeOf = (headers: Record<string, string>) => /^(\w+) (.+)$/.exec(headers.authorization ?? '')

/** Accepts `Authorization: Token …` in addition to the scheme of the mock server. */
export const tokenScheme: Habit = {
  name: 'the scheme Token',
  stage: 'answer',
  request: (sent) => {
    const [, scheme, token] = schemeOf(sent.headers) ?? []
    return scheme?.toLowerCase() === 'token' ? { ...sent, headers: { ...sent.headers, authorization: `Bearer ${token}` } } : sent
  },
}

/** Rejects every other scheme, like Django REST framework: for portals whose configuration names the scheme. */
export const onlyTokenScheme: Habit = {
  ...tokenScheme,
  name: 'no scheme but Token',
  refuse: (_about, { headers }) => {
    const [, scheme] = schemeOf(headers) ?? []
    return scheme && scheme.toLowerCase() !== 'token'
      ? failure(401, { detail: 'Authentication credentials were not provided.' })
      : undefined
  },
}

export const okForCreated: Habit = {
  name: '200 for 201',
  stage: 'answer',
  answer: (answer) => (answer.status === 201 ? { ...answer, status: 200 } : answer),
}

/** Changes and removals respond with nothing. */
export const nothingForChanges: Habit = {
  name: '204 for changes',
  stage: 'answer',
  answer: (answer, { method }) =>
    ['PATCH', 'PUT', 'DELETE'].includes(method) && isSuccess(answer.status) ? { status: 204, headers: answer.headers } : answer,
}

export const slow = (delayMs: number): Habit => ({ name: `${delayMs} ms slower`, stage: 'answer', delayMs })

const toPattern = (line: string) => {
  const [method, path = ''] = line.split(' ')
  return new RegExp(`^${method} ${path.replace(/\/$/, '').replace(/:\w+/g, '[^/]+')}/?$`)
}

const SPECIFIED = readFileSync(new URL('../../../contracts/specified-endpoints.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map(toPattern)

/** Parameters match anything except a word that another endpoint has in their place. */
const isSpecified = (method: string, path: string, route?: Route) =>
  SPECIFIED.some((pattern) => pattern.test(`${method} ${route?.path.replace(/:\w+/g, 'x') ?? path}`))

/** Knows only the endpoints in the specification. */
export const onlySpecified = (failureAs: 'json' | 'html'): Habit => ({
  name: `only specified endpoints, ${failureAs} for others`,
  stage: 'answer',
  refuse: ({ method, path, route }) => {
    if (isSpecified(method, path, route)) return undefined
    return failureAs === 'html' ? htmlPage(404) : failure(404, { detail: 'Not found.' })
  },
})
