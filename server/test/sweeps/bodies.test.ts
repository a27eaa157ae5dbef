import { describe, expect, test } from 'vitest'
import { errors } from '#contracts/lib/errors.ts'
import { type Route, uploadOf } from '#contracts/lib/route.ts'
import { routes } from '#server/test/examples/all.ts'
import { admission } from '#server/test/examples/request.ts'
import { PERSON, signedIn, strayPath } from './test-people.ts'
import { onePortal } from './test-portal.ts'

const portal = onePortal()
const sending = routes.filter(({ route }) => route.method !== 'GET')
const withJson = sending.filter(({ route }) => !uploadOf(route.body))
const withBody = withJson.filter(({ route }) => route.body)

/** Sends a body as a person whose role may use the endpoint. */
async function send(route: Route, body: unknown, contentType = 'application/json') {
  const role = Array.isArray(route.access) ? (route.access[0] as keyof typeof PERSON) : null
  const headers = { ...admission(route, role && (await portal.token(PERSON[role]))), 'content-type': contentType }
  return portal.call(null, route.method, strayPath(route), body, headers)
}

describe('unusable request bodies', () => {
  test.each(withJson)('$name refuses broken JSON', async ({ route }) => {
    expect(await send(route, '{"a":')).toMatchObject({ status: 400, body: { code: 'malformed_json' } })
  })
  test.each(withJson)('$name refuses another content type', async ({ route }) => {
    expect(await send(route, 'a=b', 'application/x-www-form-urlencoded')).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    })
  })
  test.each(withJson)('$name refuses a megabyte', async ({ route }) => {
    expect(await send(route, { a: 'x'.repeat(1_000_000) })).toMatchObject({ status: 413, body: { code: 'too_large' } })
  })
  test.each(withBody)('$name refuses wrong types', async ({ route }) => {
    const { status, body } = await send(route, [1, 2])
    expect([status, body.code]).toEqual([400, expect.stringMatching(/validation_error|action_required/)])
  })
})

test('the sweeps cover every signed-in endpoint', () => {
  expect(signedIn.length).toBeGreaterThanOrEqual(30)
})

test('an unknown path is answered with our error body', async () => {
  const answer = await portal.call(null, 'GET', '/devices/nowhere/at/all')
  expect(answer).toMatchObject({ status: errors.not_found, body: { code: 'not_found', detail: expect.any(String) } })
})
