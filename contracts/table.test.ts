import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errors } from '#contracts/lib/errors.ts'
import { type Contract, errorsOf, type Route, successOf } from '#contracts/lib/route.ts'
import { api } from './index.ts'

const routes = Object.entries(api).flatMap(([tag, contract]) =>
  Object.entries(contract as Contract).map(([name, route]) => ({
    name: `${tag}.${name}`,
    call: `${route.method} ${route.path}`,
    route: route as Route,
  })),
)
const specified = readFileSync('contracts/spec-calls.txt', 'utf8').trim().split('\n')

test('the specification names 22 calls', () => expect(new Set(specified).size).toBe(22))

test.each(specified)('%s of the specification is in the table', (call) => {
  expect(routes.map((each) => each.call)).toContain(call)
})

test.each([
  'GET /devices/:id/',
  'GET /devices/:id/tracker_config/',
  'PATCH /devices/:id/tracker_config/',
  'GET /devices/:id/tracker_status/',
  'GET /devices/:id/tracker_data/',
  'GET /tracker_public_share_links/',
  'GET /tracker_public_share_links/:uuid/',
  'GET /devices/live/',
  'POST /devices/ingest/',
])('%s, which the portal also needs, is in the table', (call) => {
  expect(routes.map((each) => each.call)).toContain(call)
})

test('no call stands in the table twice', () => {
  expect(new Set(routes.map(({ call }) => call)).size).toBe(routes.length)
})

test.each(routes)('$name declares exactly the parameters of its path', ({ route }) => {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  expect(Object.keys(route.params?.shape ?? {})).toEqual(inPath)
})

test.each(routes)('$name says what it can answer', ({ route }) => {
  expect(route.summary.length).toBeGreaterThan(10)
  expect(errorsOf(route).every((code) => errors[code] >= 400)).toBe(true)
  const { status } = successOf(route)
  const literal = route.path.endsWith('/activate/') ? [204] : [200, 201] // C-07: every success of ours is 200 or 201, only the activation is 204
  expect(literal).toContain(status)
})

test.each(routes)('R-5.18 R-5.19 $name succeeds with 200 or 201 alone, or is the activation, which takes any 2xx', ({ call, route }) => {
  const taken = Object.keys(route.response).map(Number)
  const isActivation = call === 'POST /devices/:id/activate/'
  if (isActivation) expect(taken).toEqual([200, 201, 202, 204])
  else expect([200, 201]).toEqual(expect.arrayContaining(taken))
})

test.each(routes.filter(({ route }) => route.method === 'GET'))('$name takes no body', ({ route }) => {
  expect(route.body).toBeUndefined()
})
