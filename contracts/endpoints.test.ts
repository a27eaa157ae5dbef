import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errors } from '#contracts/lib/errors.ts'
import { type Contract, getSuccess, listErrorCodes, type Route } from '#contracts/lib/route.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { api } from './index.ts'

const routes = Object.entries(api).flatMap(([tag, contract]) =>
  Object.entries(contract as Contract).map(([name, route]) => ({
    name: `${tag}.${name}`,
    call: `${route.method} ${route.path}`,
    route: route as Route,
  })),
)
const specified = readFileSync('contracts/specified-endpoints.txt', 'utf8').trim().split('\n')

test('the specification names 22 endpoints', () => expect(new Set(specified).size).toBe(22))

test('every endpoint of the specification is in the contract', async () => {
  expect(
    await collectFailures(specified, String, (call) => {
      expect(routes.map((each) => each.call)).toContain(call)
    }),
  ).toEqual([])
})

test('the endpoints the portal needs beyond the specification are in the contract', async () => {
  expect(
    await collectFailures(
      [
        'GET /devices/:id/',
        'GET /devices/:id/tracker_config/',
        'PATCH /devices/:id/tracker_config/',
        'GET /devices/:id/tracker_status/',
        'GET /devices/:id/tracker_data/',
        'GET /tracker_public_share_links/',
        'GET /tracker_public_share_links/:uuid/',
        'GET /devices/live/',
        'POST /devices/ingest/',
      ] as const,
      String,
      (call) => {
        expect(routes.map((each) => each.call)).toContain(call)
      },
    ),
  ).toEqual([])
})

test('method and path are unique in the contract', () => {
  expect(new Set(routes.map(({ call }) => call)).size).toBe(routes.length)
})

test('every endpoint declares exactly the parameters of its path', async () => {
  expect(
    await collectFailures(
      routes,
      ({ name }) => name,
      ({ route }) => {
        const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
        expect(Object.keys(route.params?.shape ?? {})).toEqual(inPath)
      },
    ),
  ).toEqual([])
})

test('every endpoint has a summary, known error codes and the status 200 or 201; only the activation answers 204', async () => {
  expect(
    await collectFailures(
      routes,
      ({ name }) => name,
      ({ route }) => {
        expect(route.summary.length).toBeGreaterThan(10)
        expect(listErrorCodes(route).every((code) => errors[code] >= 400)).toBe(true)
        const { status } = getSuccess(route)
        const literal = route.path.endsWith('/activate/') ? [204] : [200, 201]
        expect(literal).toContain(status)
      },
    ),
  ).toEqual([])
})

test('R-5.18 R-5.19 clients accept only 200 and 201 as success, but any 2xx for the activation', async () => {
  expect(
    await collectFailures(
      routes,
      ({ name }) => name,
      ({ call, route }) => {
        const taken = Object.keys(route.response).map(Number)
        const isActivation = call === 'POST /devices/:id/activate/'
        if (isActivation) expect(taken).toEqual([200, 201, 202, 204])
        else expect([200, 201]).toEqual(expect.arrayContaining(taken))
      },
    ),
  ).toEqual([])
})

test('no GET endpoint takes a body', async () => {
  expect(
    await collectFailures(
      routes.filter(({ route }) => route.method === 'GET'),
      ({ name }) => name,
      ({ route }) => {
        expect(route.body).toBeUndefined()
      },
    ),
  ).toEqual([])
})
