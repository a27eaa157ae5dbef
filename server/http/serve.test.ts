import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Whole } from '#contracts/lib/common.ts'
import { type Contract, nothing } from '#contracts/lib/route.ts'
import { Failure, invalid } from '#server/lib/errors.ts'
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

describe('the response schema is the leak guard', () => {
  test('what it does not name does not leave, at any depth', async () => {
    const leaky = { ...rex, passwordHash: 'secret', owner: { email: 'ada@example.com', token: 'secret' } }
    await using portal = await start({ read: () => leaky })
    const { status, text } = await portal.http().get('/pets/1/')
    expect([status, JSON.parse(text)]).toEqual([200, rex])
    expect(text).not.toContain('secret')
  })

  test('an answer that does not fit is a 500 which tells nothing of it', async () => {
    const wrong = JSON.parse('{"name":7,"owner":{"email":"ada@example.com"}}')
    await using portal = await start({ read: () => wrong })
    const { status, body } = await portal.http().get('/pets/1/')
    expect([status, body]).toEqual([500, { detail: 'server error', code: 'server_error' }])
  })
})

describe('failures', () => {
  test('a code that the call declares is answered with its status, extras beside it', async () => {
    await using portal = await start({
      read() {
        throw new Failure('expired', { remaining_attempts: 2 })
      },
    })
    const { status, body, type } = await portal.http().get('/pets/1/')
    expect([status, type, body]).toEqual([410, 'application/json', { detail: 'expired', code: 'expired', remaining_attempts: 2 }])
  })

  test('a code that the call does not declare is a 500', async () => {
    await using portal = await start({
      list() {
        throw new Failure('too_many_links')
      },
    })
    const { status, body } = await portal.http().get('/pets/')
    expect([status, body.code]).toEqual([500, 'server_error'])
  })

  test('what a handler did not foresee is a 500 without a word of it', async () => {
    await using portal = await start({ read: async () => Promise.reject(new Error('select * from users failed')) })
    const { status, text } = await portal.http().get('/pets/1/')
    expect(status).toBe(500)
    expect(text).not.toMatch(/select|users|at /)
  })

  test('a handler names the field that is wrong', async () => {
    await using portal = await start({
      add() {
        throw invalid('name', 'Taken', 'Too short')
      },
    })
    const { status, body } = await portal.http().post('/pets/').send({ name: 'Rex' })
    expect([status, body.errors]).toEqual([400, { name: ['Taken', 'Too short'] }])
  })
})

describe('input', () => {
  test('every wrong field is named by its path', async () => {
    await using portal = await start()
    const { status, body } = await portal
      .http()
      .post('/pets/')
      .send({ name: 'R', ages: [1, 'two', 'three'] })
    expect([status, body.code]).toEqual([400, 'validation_error'])
    expect(Object.keys(body.errors).toSorted()).toEqual(['ages.1', 'ages.2', 'name'])
  })

  test('a body that is no object at all is named as the body', async () => {
    await using portal = await start()
    const { body } = await portal.http().post('/pets/').send(['Rex'])
    expect(Object.keys(body.errors)).toEqual(['body'])
  })

  test.each(['x', '-1', '1.5', '99999999999999999999', '%00'])('R-6.9 no pet has the id %s', async (id) => {
    await using portal = await start()
    const { status, body } = await portal.http().get(`/pets/${id}/`)
    expect([status, body]).toEqual([404, { detail: 'not found', code: 'not_found' }])
  })

  test('a wrong query is named, an unknown one passed over', async () => {
    await using portal = await start()
    expect((await portal.http().get('/pets/1/?page=two')).body).toMatchObject({
      code: 'validation_error',
      errors: { page: [expect.any(String)] },
    })
    expect((await portal.http().get('/pets/1/?colour=red')).status).toBe(200)
  })

  test('a handler gets what was parsed, not what was sent', async () => {
    const heard: unknown[] = []
    await using portal = await start({
      read(input) {
        heard.push(input)
        return rex
      },
    })
    await portal.http().get('/pets/007/?page=2&colour=red')
    expect(heard).toEqual([{ params: { id: 7 }, query: { page: 2 } }])
  })
})

describe('success', () => {
  test('is answered with the last status listed', async () => {
    await using portal = await start()
    const { status, body } = await portal.http().post('/pets/').send({ name: 'Rosa' })
    expect([status, body.name]).toEqual([201, 'Rosa'])
  })

  test('204 has no body and no type', async () => {
    await using portal = await start()
    const { status, text, headers } = await portal.http().delete('/pets/')
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined])
  })

  test('C-17 a GET that changes something is kept by no cache', async () => {
    await using portal = await start()
    expect((await portal.http().get('/pets/feed/')).headers['cache-control']).toBe('no-store')
    expect((await portal.http().get('/pets/1/')).headers['cache-control']).toBeUndefined()
  })
})

describe('an answer composed beforehand', () => {
  test('carries its tag and may be kept, but only by the one who asked', async () => {
    await using portal = await start()
    const { status, text, headers } = await portal.http().get('/pets/')
    expect([status, text]).toEqual([200, '[{"name":"Rex"}]'])
    expect(headers).toMatchObject({ etag: ETAG, 'cache-control': 'private, no-cache', 'content-type': 'application/json; charset=utf-8' })
  })

  test('unchanged, it is a 304 without a body, with the tag', async () => {
    await using portal = await start()
    const { status, text, headers } = await portal.http().get('/pets/').set('if-none-match', ETAG)
    expect([status, text, headers.etag]).toEqual([304, '', ETAG])
  })

  test('with another tag it comes in full', async () => {
    await using portal = await start()
    expect((await portal.http().get('/pets/').set('if-none-match', '"v0"')).status).toBe(200)
  })
})

test('C-17 HEAD reads, and does not do what a GET does', async () => {
  await using portal = await start({
    feed() {
      throw new Error('fed by HEAD')
    },
  })
  expect((await portal.http().head('/pets/1/')).status).toBe(200)
  expect((await portal.http().head('/pets/feed/')).status).toBe(404)
})
