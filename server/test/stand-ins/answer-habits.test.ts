import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import * as habits from './answer-habits.ts'
import { type Answer, applyToAnswer, type Habit } from './habit.ts'
import { aboutEndpoint } from './test-about.ts'

const json = { 'content-type': 'application/json' }
const answer = (status: number, body?: Answer['json']): Answer => ({ status, headers: json, ...(body !== undefined && { json: body }) })
const invalid = answer(400, { detail: 'Invalid.', code: 'validation_error', errors: { name: ['Too long.'] } })
const missing = answer(404, { detail: 'Not found.', code: 'not_found' })
const refused = answer(400, { detail: 'Not allowed.', code: 'mode_not_allowed' })
const signedIn = answer(200, { user: { id: 1 }, token: 'abc' })

type Row = [habit: Habit, endpoint: string, before: Answer, after: Partial<Answer>]

const rows: Row[] = [
  [habits.failuresAsDjango, 'tags.create', invalid, answer(400, { name: ['Too long.'] })],
  [habits.failuresAsDjango, 'tags.create', refused, answer(400, { non_field_errors: ['Not allowed.'] })],
  [habits.failuresAsDjango, 'tags.create', missing, answer(404, { detail: 'Not found.' })],
  [habits.failuresAsDetail, 'tags.create', invalid, answer(400, { detail: 'Invalid.' })],
  [habits.failuresAsMessage, 'tags.create', invalid, answer(400, { message: 'Invalid.', errors: { name: ['Too long.'] } })],
  [habits.failuresAsMessage, 'tags.create', missing, answer(404, { message: 'Not found.' })],
  [habits.failuresAsError, 'tags.create', missing, answer(404, { error: 'Not found.' })],
  [
    habits.failuresAsHtml,
    'tags.create',
    missing,
    { status: 404, headers: { 'content-type': 'text/html; charset=utf-8' }, text: expect.stringContaining('<h1>') },
  ],
  [habits.failuresEmpty, 'tags.create', missing, { status: 404, headers: {} }],
  [habits.failuresAsHtml, 'sessions.signIn', signedIn, signedIn],
  [habits.tokenAs('key'), 'sessions.signIn', signedIn, answer(200, { user: { id: 1 }, key: 'abc' })],
  [habits.tokenAs('access'), 'sessions.signIn', signedIn, answer(200, { user: { id: 1 }, access: 'abc' })],
  [habits.tokenAs('auth_token'), 'sessions.signIn', missing, missing],
  [habits.okForCreated, 'tags.create', answer(201, { id: 1 }), answer(200, { id: 1 })],
  [habits.okForCreated, 'tags.create', missing, missing],
  [habits.nothingForChanges, 'tags.update', answer(200, { id: 1 }), answer(204)],
  [habits.nothingForChanges, 'tags.remove', answer(200, { id: 1 }), answer(204)],
  [habits.nothingForChanges, 'tags.remove', missing, missing],
  [habits.nothingForChanges, 'tags.list', answer(200, []), answer(200, [])],
]

test('a deviation of responses changes statuses and failures, and leaves other responses unchanged', async () => {
  const nameOf = ([{ name }, endpoint, { status }]: Row) => `${name}, ${endpoint} ${status}`
  const check = ([habit, endpoint, before, after]: Row) =>
    expect(
      applyToAnswer(
        [habit],
        before,
        aboutEndpoint(endpoint, { ...(endpoint === 'sessions.signIn' && { path: '/api/v1/auth/web_get_token/' }) }),
      ),
    ).toEqual(after)
  expect(await collectFailures(rows, nameOf, check)).toEqual([])
})

const nothing = { path: '/', query: new URLSearchParams(), headers: {} }
const withScheme = (scheme: string) => ({ ...nothing, headers: { authorization: `${scheme} abc` } })

test('a backend with only the specification has its 22 endpoints and no other', () => {
  const { refuse } = habits.onlySpecified('json')
  const statusOf = (endpoint: string) => refuse!(aboutEndpoint(endpoint), nothing, 0)?.status
  for (const known of ['devices.list', 'sct2.read', 'links.listOf', 'links.remove', 'users.erase', 'subscriptions.linkByCode'])
    expect(statusOf(known), known).toBeUndefined()
  for (const unknown of ['devices.get', 'positions.live', 'links.list', 'links.read', 'orders.list', 'devices.config'])
    expect(statusOf(unknown), unknown).toBe(404)
  expect(habits.onlySpecified('html').refuse!(aboutEndpoint('tags.list'), nothing, 0)?.text).toContain('404')
})

test('a backend that fails once sends the time to wait, and then succeeds', () => {
  const { refuse } = habits.failsOnce(503, 2)
  expect(refuse!(aboutEndpoint('tags.list'), nothing, 0)).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
  expect(refuse!(aboutEndpoint('tags.list'), nothing, 1)).toBeUndefined()
})

test('the scheme Token is accepted, and may be the only one', () => {
  const about = aboutEndpoint('users.me')
  expect(habits.tokenScheme.request!(withScheme('Token'), about).headers.authorization).toBe('Bearer abc')
  expect(habits.tokenScheme.request!(withScheme('Bearer'), about).headers.authorization).toBe('Bearer abc')
  expect(habits.onlyTokenScheme.refuse!(about, withScheme('Bearer'), 0)?.status).toBe(401)
  expect(habits.onlyTokenScheme.refuse!(about, withScheme('Token'), 0)).toBeUndefined()
  expect(habits.onlyTokenScheme.refuse!(about, nothing, 0)).toBeUndefined()
})
