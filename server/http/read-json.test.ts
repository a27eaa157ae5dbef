import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const json = { 'content-type': 'application/json' }

test.each([
  ['', 'application/json'],
  ['{}', 'application/json'],
  ['', 'text/plain;charset=UTF-8'],
])('the body %j of the type %s is accepted as empty where no body is needed', async (body, type) => {
  await using portal = await startPortal()
  const url = `/devices/${SEED.devices.newTracker}/activate/`
  expect(await portal.call('alice@example.com', 'POST', url, body, { 'content-type': type })).toMatchObject({ status: 204 })
})

test('an empty body is reported as missing fields where a body is needed', async () => {
  await using portal = await startPortal()
  const response = await portal.call(null, 'POST', '/users/password_reset/', '', json)
  expect(response).toMatchObject({ status: 400, body: { code: 'validation_error', errors: { email: expect.any(Array) } } })
})

test.each([
  '{"__proto__":{"email":"a@b.cd"}}',
  String.raw`{"\u005f_proto__":{"email":"a@b.cd"}}`,
  '{"email":"a@b.cd","constructor" : {"prototype":{"email":1}}}',
])('the body %s, which would change a prototype, is refused', async (body) => {
  await using portal = await startPortal()
  const response = await portal.call(null, 'POST', '/users/password_reset/', body, json)
  expect(response).toMatchObject({ status: 400, body: { code: 'malformed_json' } })
})

test('a body that begins with a byte order mark is read', async () => {
  await using portal = await startPortal()
  const response = await portal.call(null, 'POST', '/users/password_reset/', '\uFEFF{"email":"a@b.cd"}', json)
  expect(response).toMatchObject({ status: 200 })
})

test.each(['[', '{"a":'])('a body of 5,000 nested %j is refused as malformed JSON', async (start) => {
  await using portal = await startPortal()
  const deep = `${start.repeat(5_000)}1${(start === '[' ? ']' : '}').repeat(5_000)}`
  for (const body of [start.repeat(5_000), deep, `{"email":${deep}}`])
    expect(await portal.call(null, 'POST', '/users/password_reset/', body, json)).toMatchObject({
      status: 400,
      body: { detail: 'malformed json', code: 'malformed_json' },
    })
})

test('a change whose body is not an object is refused', async () => {
  await using portal = await startPortal()
  const rows = ['null', '[]', '5']
  expect(
    await collectFailures(rows, String, async (body) => {
      const response = await portal.call('alice@example.com', 'PATCH', `/devices/${SEED.devices.rex}/`, body, json)
      expect(response).toMatchObject({ status: 400, body: { code: 'validation_error', errors: { body: [expect.any(String)] } } })
    }),
  ).toEqual([])
})

test("a user's JSON body above 64 KB is refused with 413", async () => {
  await using portal = await startPortal()
  const send = (size: number) => portal.call(null, 'POST', '/users/password_reset/', `{"email":"a@b.cd","x":"${'x'.repeat(size)}"}`, json)
  expect((await send(60_000)).status).toBe(200)
  expect(await send(66_000)).toMatchObject({ status: 413, body: { code: 'too_large' } })
})
