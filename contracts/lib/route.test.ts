import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ROLES, rights } from './rights.ts'
import { buildUrl, file, findContentType, findUpload, getSuccess, listErrorCodes, nothing, type Route, stream, upload } from './route.ts'

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

describe('error codes of an endpoint', () => {
  test('a public GET endpoint has only the three universal error codes', () => expect(listErrorCodes(route({}))).toEqual(always))

  test.each([
    ['roles', { access: ['user'] }, ['not_authenticated', 'permission_denied']],
    ['every role', { access: ROLES }, ['not_authenticated', 'permission_denied']],
    ['the own profile, which no API token reaches', { access: rights.ownProfile }, ['not_authenticated', 'permission_denied']],
    ['roles with a write method', { access: ['user'], method: 'POST' }, ['not_authenticated', 'permission_denied', 'csrf_failed', ...sent]],
    ['a device key', { access: 'device', method: 'POST' }, ['invalid_device_key', ...sent]],
    ['a path parameter', { params: z.object({ id: z.string() }) }, ['not_found']],
    ['a query', { query: z.object({ page: z.optional(z.string()) }) }, ['validation_error']],
    ['a body', { method: 'POST', body: z.object({}) }, ['validation_error', ...sent]],
    ['a high cost', { costly: true }, ['account_busy']],
    ['its own list', { errors: ['invalid_period'] }, ['invalid_period']],
  ] satisfies [string, Partial<Route>, string[]][])('the error codes implied by %s are listed', (_, more, codes) => {
    expect(listErrorCodes(route(more))).toEqual([...codes, ...always])
  })

  test("error codes are unique, the endpoint's own first", () => {
    const codes = listErrorCodes(
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

describe('success of an endpoint', () => {
  test('the only success status is the one our server sends', () => expect(getSuccess(route({})).status).toBe(200))

  test('the highest of several success statuses is ours, whatever their order', () => {
    expect(getSuccess(route({ response: { 204: nothing, 200: nothing, 202: nothing } })).status).toBe(204)
  })

  test('R-7.10 a 204 has no body', () => {
    const { schema } = getSuccess(route({ response: { 204: nothing } }))
    expect(schema?.safeParse(undefined).success).toBe(true)
    expect(schema?.safeParse({}).success).toBe(false)
  })
})

describe('responses that are not JSON', () => {
  test.each(['application/pdf', 'text/csv'] as const)('a download of %s has that content type and yields bytes', (type) => {
    const schema = file(type)
    expect(findContentType(schema)).toBe(type)
    expect(schema.safeParse(new Uint8Array([1, 2])).success).toBe(true)
    for (const other of ['text', null, [1, 2], { length: 2 }]) expect(schema.safeParse(other).success).toBe(false)
  })

  test('a stream has its content type and yields text chunks', () => {
    const schema = stream('text/event-stream')
    async function* events() {
      yield 'event: position\n\n'
    }
    expect(findContentType(schema)).toBe('text/event-stream')
    expect(schema.safeParse(events()).success).toBe(true)
    for (const other of ['text', null, [], {}]) expect(schema.safeParse(other).success).toBe(false)
  })

  test('each download has a schema of its own, and a JSON schema has no content type', () => {
    expect(file('text/csv')).not.toBe(file('text/csv'))
    expect(findContentType(z.object({}))).toBeUndefined()
  })
})

describe('uploads', () => {
  test('an upload has a content type and a maximum size', () => {
    const schema = upload('text/csv', 1024)
    expect([findContentType(schema), findUpload(schema)]).toEqual(['text/csv', { contentType: 'text/csv', maxBytes: 1024 }])
    expect(schema.safeParse(new Blob(['a,b'])).success).toBe(true)
    for (const other of ['a,b', null, {}]) expect(schema.safeParse(other).success).toBe(false)
  })

  test('an upload can be too large or of another type, but never malformed JSON', () => {
    const codes = listErrorCodes(route({ method: 'POST', body: upload('text/csv', 9) }))
    expect(codes).toEqual(['validation_error', 'too_large', 'unsupported_media_type', ...always])
  })

  test('a JSON body and a download are not uploads', () => {
    expect([findUpload(undefined), findUpload(z.object({})), findUpload(file('text/csv'))]).toEqual([undefined, undefined, undefined])
  })
})

describe('request URLs', () => {
  test.each([
    ['https://api.test', 'https://api.test/devices/7/'],
    ['https://api.test/', 'https://api.test/devices/7/'],
    ['https://api.test/v2//', 'https://api.test/v2/devices/7/'],
    ['', '/devices/7/'],
  ])('R-7.23 a URL with the base %j has no double slash', (base, expected) => {
    expect(buildUrl(base, '/devices/:id/', { params: { id: 7 } })).toBe(expected)
  })

  test('path parameters are escaped and undefined query parameters omitted', () => {
    expect(buildUrl('', '/x/:id/', { params: { id: 'a/b' }, query: { type: 'tracker', page: undefined } })).toBe('/x/a%2Fb/?type=tracker')
  })
})
