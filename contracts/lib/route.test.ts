import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ROLES } from './constants.ts'
import { contentTypeOf, errorsOf, file, nothing, type Route, stream, successOf, upload, uploadOf } from './route.ts'

const route = (more: Partial<Route>): Route => ({
  method: 'GET',
  path: '/things/',
  summary: 'Lists the things of somebody',
  access: 'public',
  response: { 200: z.array(z.string()) },
  safety: 'read',
  provenance: 'assumed',
  ...more,
})
const always = ['throttled', 'server_error', 'unavailable']
const sent = ['malformed_json', 'too_large', 'unsupported_media_type']

describe('D-25 the codes a call can answer', () => {
  test('are few where everybody may read', () => expect(errorsOf(route({}))).toEqual(always))

  test.each([
    ['roles', { access: ['user'] }, ['not_authenticated', 'permission_denied']],
    ['every role', { access: ROLES }, ['not_authenticated']],
    [
      'roles that change something',
      { access: ['user'], method: 'POST' },
      ['not_authenticated', 'permission_denied', 'csrf_failed', ...sent],
    ],
    ['the key of a device', { access: 'device', method: 'POST' }, ['invalid_device_key', ...sent]],
    ['an object named in the path', { params: z.object({ id: z.string() }) }, ['not_found']],
    ['a query', { query: z.object({ page: z.optional(z.string()) }) }, ['validation_error']],
    ['a body', { method: 'POST', body: z.object({}) }, ['validation_error', ...sent]],
    ['its own', { errors: ['invalid_period'] }, ['invalid_period']],
  ] satisfies [string, Partial<Route>, string[]][])('follow from %s', (_, more, codes) => {
    expect(errorsOf(route(more))).toEqual([...codes, ...always])
  })

  test('stand there once each, its own first', () => {
    const codes = errorsOf(
      route({
        method: 'PATCH',
        access: ['user', 'admin'],
        params: z.object({ id: z.string() }),
        query: z.object({}),
        body: z.object({}),
        errors: ['not_found'],
      }),
    )
    expect(codes[0]).toBe('not_found')
    expect(new Set(codes).size).toBe(codes.length)
  })
})

describe('the success a call answers', () => {
  test('is the only one listed', () => expect(successOf(route({})).status).toBe(200))

  test('is the highest of several, whatever their order', () => {
    expect(successOf(route({ response: { 204: nothing, 200: nothing, 202: nothing } })).status).toBe(204)
  })

  test('R-7.10 has no body when it is 204', () => {
    const { schema } = successOf(route({ response: { 204: nothing } }))
    expect(schema?.safeParse(undefined).success).toBe(true)
    expect(schema?.safeParse({}).success).toBe(false)
  })
})

describe('answers that are not JSON', () => {
  test.each(['application/pdf', 'text/csv'] as const)('a download of %s says so and is bytes', (type) => {
    const schema = file(type)
    expect(contentTypeOf(schema)).toBe(type)
    expect(schema.safeParse(new Uint8Array([1, 2])).success).toBe(true)
    for (const other of ['text', null, [1, 2], { length: 2 }]) expect(schema.safeParse(other).success).toBe(false)
  })

  test('a stream says so and can be waited on', () => {
    const schema = stream('text/event-stream')
    async function* events() {
      yield 'event: position\n\n'
    }
    expect(contentTypeOf(schema)).toBe('text/event-stream')
    expect(schema.safeParse(events()).success).toBe(true)
    for (const other of ['text', null, [], {}]) expect(schema.safeParse(other).success).toBe(false)
  })

  test('two downloads of one kind are two schemas, anything else has no type of its own', () => {
    expect(file('text/csv')).not.toBe(file('text/csv'))
    expect(contentTypeOf(z.object({}))).toBeUndefined()
  })
})

describe('a body that is a file', () => {
  test('says its type and how large it may be', () => {
    const schema = upload('text/csv', 1024)
    expect([contentTypeOf(schema), uploadOf(schema)]).toEqual(['text/csv', { contentType: 'text/csv', maxBytes: 1024 }])
    expect(schema.safeParse(new Blob(['a,b'])).success).toBe(true)
    for (const other of ['a,b', null, {}]) expect(schema.safeParse(other).success).toBe(false)
  })

  test('can be too large or of another type, but not broken JSON', () => {
    const codes = errorsOf(route({ method: 'POST', body: upload('text/csv', 9) }))
    expect(codes).toEqual(['validation_error', 'too_large', 'unsupported_media_type', ...always])
  })

  test('is neither a body of fields nor a download', () => {
    expect([uploadOf(undefined), uploadOf(z.object({})), uploadOf(file('text/csv'))]).toEqual([undefined, undefined, undefined])
  })
})
