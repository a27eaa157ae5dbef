import { expect, test } from 'vitest'
import { errors } from '#contracts/lib/errors.ts'
import { findContentType, findUpload, getSuccess, type Route } from '#contracts/lib/route.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { endpoints } from '#server/test/examples/all.ts'
import { authHeaders, buildUrl } from '#server/test/examples/send-example.ts'
import { endpointName, firstRole, PERSON, pathWithUnknownIds, sharedPortal } from './test-endpoints.ts'

const portal = sharedPortal()
const withJson = endpoints.filter(({ route }) => route.method !== 'GET' && !findUpload(route.body))

async function admit(route: Route) {
  const role = firstRole(route)
  return authHeaders(route, role && (await portal.token(PERSON[role])))
}

async function send(route: Route, body: unknown, contentType = 'application/json') {
  const headers = { ...(await admit(route)), 'content-type': contentType }
  return portal.call(null, route.method, pathWithUnknownIds(route), body, headers)
}

test('every endpoint refuses a body of broken JSON', async () => {
  const failures = await collectFailures(withJson, endpointName, async ({ route }) => {
    expect(await send(route, '{"a":')).toMatchObject({ status: 400, body: { code: 'malformed_json' } })
  })
  expect(failures).toEqual([])
})

test('every endpoint refuses a body of another content type', async () => {
  const failures = await collectFailures(withJson, endpointName, async ({ route }) => {
    const response = await send(route, 'a=b', 'application/x-www-form-urlencoded')
    expect(response).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
  })
  expect(failures).toEqual([])
})

test('every endpoint refuses a body of a megabyte', async () => {
  const failures = await collectFailures(withJson, endpointName, async ({ route }) => {
    expect(await send(route, { a: 'x'.repeat(1_000_000) })).toMatchObject({ status: 413, body: { code: 'too_large' } })
  })
  expect(failures).toEqual([])
})

test('every endpoint with a body refuses wrong types in it', async () => {
  const withBody = withJson.filter(({ route }) => route.body)
  const failures = await collectFailures(withBody, endpointName, async ({ route }) => {
    const { status, body } = await send(route, [1, 2])
    expect([status, body.code]).toEqual([400, expect.stringMatching(/validation_error|action_required/)])
  })
  expect(failures).toEqual([])
})

/** Copies of a body, each with the character U+0000 in one of its texts. */
function withZeroes(value: unknown): unknown[] {
  if (typeof value === 'string') return [`${value}\0`]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    withZeroes(each).map((changed) =>
      Array.isArray(value) ? value.map((item, index) => (String(index) === key ? changed : item)) : { ...value, [key]: changed },
    ),
  )
}

test('every text of a body with the character U+0000 is refused, or read without it', async () => {
  const rows = withJson.flatMap((each) => withZeroes(each.example.body).map((body, index) => ({ ...each, body, index })))
  expect(rows.length).toBeGreaterThan(60)
  const failures = await collectFailures(
    rows,
    ({ name, index }) => `text ${index} of ${name}`,
    async ({ route, example, body }) => {
      const response = await portal.call(null, route.method, buildUrl(route, example), body as object, await admit(route))
      expect(response.status).toBeLessThan(500)
      expect(JSON.stringify(response.body) ?? '').not.toContain('\\u0000')
    },
  )
  expect(failures).toEqual([])
})

test('every text of a query with the character U+0000 is refused', async () => {
  const rows = endpoints.flatMap((each) => Object.keys(each.route.query?.shape ?? {}).map((parameter) => ({ ...each, parameter })))
  const failures = await collectFailures(
    rows,
    ({ name, parameter }) => `${parameter} of ${name}`,
    async ({ route, example, parameter }) => {
      const url = buildUrl(route, { ...example, query: { ...example.query, [parameter]: 'a\0' } })
      const { status } = await portal.call(null, route.method, url, undefined, await admit(route))
      expect([400, 403]).toContain(status)
    },
  )
  expect(failures).toEqual([])
})

test('every query parameter that is given twice is refused by its name', async () => {
  const parameters = endpoints.flatMap((each) => Object.keys(each.route.query?.shape ?? {}).map((parameter) => ({ ...each, parameter })))
  const nameOfParameter = ({ name, parameter }: (typeof parameters)[number]) => `${parameter} of ${name}`
  const failures = await collectFailures(parameters, nameOfParameter, async ({ route, example, parameter }) => {
    const url = buildUrl(route, { ...example, query: { ...example.query, [parameter]: '1' } })
    const response = await portal.call(null, route.method, `${url}&${parameter}=2`, undefined, await admit(route))
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_error', errors: { [parameter]: expect.any(Array) } } })
  })
  expect(failures).toEqual([])
})

/** A second request is rejected while the first is in progress. */
const ONCE = ['myData.create']

test('R-7.12 every endpoint responds alike with and without the trailing slash', async () => {
  const finite = endpoints.filter(
    ({ name, route }) => !ONCE.includes(name) && findContentType(getSuccess(route).schema) !== 'text/event-stream',
  )
  const failures = await collectFailures(finite, endpointName, async ({ route }) => {
    const bare = pathWithUnknownIds(route).replace(/\/$/, '')
    const without = await portal.call('dario@example.com', route.method, bare)
    const withSlash = await portal.call('dario@example.com', route.method, `${bare}/`)
    expect(without.status).toBe(withSlash.status)
    expect([301, 302, 307, 308]).not.toContain(without.status)
  })
  expect(failures).toEqual([])
})

test('an unknown path is rejected with our error body', async () => {
  const response = await portal.call(null, 'GET', '/devices/nowhere/at/all')
  expect(response).toMatchObject({ status: errors.not_found, body: { code: 'not_found', detail: expect.any(String) } })
})
