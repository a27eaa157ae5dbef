import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Whole } from '#contracts/lib/common.ts'
import { type Contract, nothing } from '#contracts/lib/route.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startWith } from '#server/test/test-app.ts'

const Pet = z.object({ name: z.string(), owner: z.object({ email: z.string() }) })
const facts = { summary: 'Only a test', access: 'public', safety: 'read', provenance: 'assumed' } as const

const pets = {
  read: {
    ...facts,
    method: 'GET',
    path: '/pets/:id/',
    params: z.object({ id: Whole }),
    query: z.object({ page: z.optional(Whole) }),
    response: { 200: Pet },
    errors: ['expired'],
  },
  list: { ...facts, method: 'GET', path: '/pets/', response: { 200: z.array(Pet) } },
  add: {
    ...facts,
    method: 'POST',
    path: '/pets/',
    safety: 'reversible',
    body: z.object({ name: z.string().check(z.minLength(2)), ages: z.optional(z.array(z.number())) }),
    response: { 200: Pet, 201: Pet },
  },
  remove: { ...facts, method: 'DELETE', path: '/pets/', safety: 'destructive', response: { 204: nothing } },
  feed: { ...facts, method: 'GET', path: '/pets/feed/', safety: 'destructive', response: { 200: Pet } },
} as const satisfies Contract

const rex = { name: 'Rex', owner: { email: 'ada@example.com' } }
const ETAG = '"v1"'

const start = (change: Partial<Parameters<typeof startWith<typeof pets>>[1]> = {}, options = {}) =>
  startWith(
    pets,
    {
      read: () => rex,
      list: () => ({ composed: Buffer.from('[{"name":"Rex"}]'), etag: ETAG }),
      add: ({ body }) => ({ ...rex, name: body.name }),
      remove: () => undefined,
      feed: () => rex,
      ...change,
    },
    options,
  )

describe('response schema', () => {
  test('fields missing in the response schema are stripped at any depth', async () => {
    const leaky = { ...rex, passwordHash: 'secret', owner: { email: 'ada@example.com', token: 'secret' } }
    await using portal = await start({ read: () => leaky })
    const { status, text } = await portal.http().get('/pets/1/')
    expect([status, JSON.parse(text)]).toEqual([200, rex])
    expect(text).not.toContain('secret')
  })

  test('a response that does not match its schema is a 500 without details', async () => {
    const wrong = JSON.parse('{"name":7,"owner":{"email":"ada@example.com"}}')
    await using portal = await start({ read: () => wrong })
    const { status, body } = await portal.http().get('/pets/1/')
    expect([status, body]).toEqual([500, { detail: 'server error', code: 'server_error' }])
  })
})

describe('failures', () => {
  test('a declared error code is returned with its status and extra fields', async () => {
    await using portal = await start({
      read() {
        throw new Failure('expired', { remaining_attempts: 2 })
      },
    })
    const { status, body, type } = await portal.http().get('/pets/1/')
    expect([status, type, body]).toEqual([410, 'application/json', { detail: 'expired', code: 'expired', remaining_attempts: 2 }])
  })

  test('an undeclared error code becomes a 500', async () => {
    await using portal = await start({
      list() {
        throw new Failure('too_many_links')
      },
    })
    const { status, body } = await portal.http().get('/pets/')
    expect([status, body.code]).toEqual([500, 'server_error'])
  })

  test('an unexpected error becomes a 500 without its message', async () => {
    await using portal = await start({ read: async () => Promise.reject(new Error('select * from users failed')) })
    const { status, text } = await portal.http().get('/pets/1/')
    expect(status).toBe(500)
    expect(text).not.toMatch(/select|users|at /)
  })

  test('a handler can reject a single field', async () => {
    await using portal = await start({
      add() {
        throw invalidField('name', 'Taken', 'Too short')
      },
    })
    const { status, body } = await portal.http().post('/pets/').send({ name: 'Rex' })
    expect([status, body.errors]).toEqual([400, { name: ['Taken', 'Too short'] }])
  })
})

describe('input validation', () => {
  test('every invalid field is named by its path', async () => {
    await using portal = await start()
    const { status, body } = await portal
      .http()
      .post('/pets/')
      .send({ name: 'R', ages: [1, 'two', 'three'] })
    expect([status, body.code]).toEqual([400, 'validation_error'])
    expect(Object.keys(body.errors).toSorted()).toEqual(['ages.1', 'ages.2', 'name'])
  })

  test('a body that is not an object is reported under "body"', async () => {
    await using portal = await start()
    const { body } = await portal.http().post('/pets/').send(['Rex'])
    expect(Object.keys(body.errors)).toEqual(['body'])
  })

  test('R-6.9 ids that are not whole numbers are answered with 404', async () => {
    await using portal = await start()
    const rows = ['x', '-1', '1.5', '99999999999999999999', '%00']
    expect(
      await collectFailures(rows, String, async (id) => {
        const { status, body } = await portal.http().get(`/pets/${id}/`)
        expect([status, body]).toEqual([404, { detail: 'not found', code: 'not_found' }])
      }),
    ).toEqual([])
  })

  test('an invalid query parameter is named, and an unknown one is ignored', async () => {
    await using portal = await start()
    expect((await portal.http().get('/pets/1/?page=two')).body).toMatchObject({
      code: 'validation_error',
      errors: { page: [expect.any(String)] },
    })
    expect((await portal.http().get('/pets/1/?colour=red')).status).toBe(200)
  })

  test('a handler receives parsed values, not raw input', async () => {
    const inputs: unknown[] = []
    await using portal = await start({
      read(input) {
        inputs.push(input)
        return rex
      },
    })
    await portal.http().get('/pets/007/?page=2&colour=red')
    expect(inputs).toEqual([{ params: { id: 7 }, query: { page: 2 } }])
  })
})

describe('success responses', () => {
  test('a success has the last status of the contract', async () => {
    await using portal = await start()
    const { status, body } = await portal.http().post('/pets/').send({ name: 'Rosa' })
    expect([status, body.name]).toEqual([201, 'Rosa'])
  })

  test('a 204 has no body and no content type', async () => {
    await using portal = await start()
    const { status, text, headers } = await portal.http().delete('/pets/')
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined])
  })

  test('a response is stored by no cache', async () => {
    await using portal = await start()
    expect((await portal.http().get('/pets/feed/')).headers['cache-control']).toBe('no-store')
    expect((await portal.http().get('/pets/1/')).headers['cache-control']).toBe('no-store')
  })
})

describe('composed responses', () => {
  test('a composed response carries an ETag and may be cached privately', async () => {
    await using portal = await start()
    const { status, text, headers } = await portal.http().get('/pets/')
    expect([status, text]).toEqual([200, '[{"name":"Rex"}]'])
    expect(headers).toMatchObject({ etag: ETAG, 'cache-control': 'private, no-cache', 'content-type': 'application/json; charset=utf-8' })
  })

  test('a composed response that matches If-None-Match is an empty 304 with the ETag', async () => {
    await using portal = await start()
    const { status, text, headers } = await portal.http().get('/pets/').set('if-none-match', ETAG)
    expect([status, text, headers.etag]).toEqual([304, '', ETAG])
  })

  test('a composed response is sent in full for another ETag', async () => {
    await using portal = await start()
    expect((await portal.http().get('/pets/').set('if-none-match', '"v0"')).status).toBe(200)
  })
})

test('HEAD works for reads but not for a GET with side effects', async () => {
  await using portal = await start({
    feed() {
      throw new Error('fed by HEAD')
    },
  })
  expect((await portal.http().head('/pets/1/')).status).toBe(200)
  expect((await portal.http().head('/pets/feed/')).status).toBe(404)
})
