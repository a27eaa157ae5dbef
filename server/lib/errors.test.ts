import { request as rawRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ErrorBody, errors } from '#contracts/lib/errors.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { createTestLog, startHttp, startWith } from '#server/test/test-app.ts'

const notes = {
  add: {
    method: 'POST',
    path: '/notes/',
    summary: 'Only a test',
    access: 'public',
    body: z.object({ text: z.string() }),
    response: { 201: z.object({ length: z.int() }) },
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract

const start = (add = () => ({ length: 1 })) => startWith(notes, { add })
const throwing = (error: object) =>
  start(() => {
    throw error
  })

describe('errors that Fastify raises have our error body', () => {
  const post = async (type: string, body: string) => {
    await using portal = await start()
    return await portal.http().post('/notes/').set('content-type', type).send(body)
  }
  test.each([
    ['broken JSON', 'application/json', '{"text":', 'malformed_json'],
    ['an empty body sent as JSON', 'application/json', '', 'validation_error'],
    ['a form', 'application/x-www-form-urlencoded', 'text=a', 'unsupported_media_type'],
    ['plain text', 'text/plain', 'hello', 'unsupported_media_type'],
    ['an image', 'image/png', 'hello', 'unsupported_media_type'],
    ['a body that is too large', 'application/json', `{"text":"${'x'.repeat(300_000)}"}`, 'too_large'],
    ['a key of the object prototype', 'application/json', '{"text":"a","__proto__":{"x":1}}', 'malformed_json'],
  ] as const)('a request body is refused: %s', async (_, type, text, code) => {
    const { status, body } = await post(type, text)
    expect([status, body.code]).toEqual([errors[code], code])
    expect(ErrorBody.parse(body).detail).toBe(code.replaceAll('_', ' '))
  })

  test.each(['/%', '/devices/%E0%A4%A/', `/devices/${'9'.repeat(500)}/`])(
    'a path that cannot be decoded is answered 404: %s',
    async (url) => {
      await using portal = await start()
      const answer = await portal.app.inject({ url, headers: { authorization: `Bearer ${await portal.token('alice@example.com')}` } })
      expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'not found', code: 'not_found' }])
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    },
  )

  test('a method that a path does not support is answered 404', async () => {
    await using portal = await start()
    expect((await portal.http().patch('/notes/').send({})).body.code).toBe('not_found')
  })

  test('a Content-Length that differs from the body is refused', async () => {
    await using portal = await start()
    await portal.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = portal.app.server.address() as AddressInfo
    const status = await new Promise((resolve, reject) => {
      const call = rawRequest({
        port,
        method: 'POST',
        path: '/notes/',
        headers: { 'content-type': 'application/json', 'content-length': '-1' },
      })
      call.on('response', (answer) => resolve(answer.statusCode)).on('error', reject)
      call.end()
    })
    expect(status).toBe(400)
  })
})

describe('a database that is temporarily unusable is answered 503', () => {
  test.each([
    'SQLITE_BUSY',
    'SQLITE_BUSY_SNAPSHOT',
    'SQLITE_FULL',
    'SQLITE_READONLY_DBMOVED',
    'SQLITE_IOERR_WRITE',
    'SQLITE_CORRUPT',
    'SQLITE_NOTADB',
  ])('the SQLite error %s is answered 503', async (code) => {
    await using portal = await throwing(Object.assign(new Error('as SQLite says it'), { code }))
    const { status, body } = await portal.http().post('/notes/').send({ text: 'a' })
    expect([status, body]).toEqual([503, { detail: 'unavailable', code: 'unavailable' }])
  })

  test('an SQLite error wrapped by the query builder is answered 503', async () => {
    const cause = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY_TIMEOUT' })
    await using portal = await throwing(new Error('Failed query: insert into notes', { cause }))
    expect((await portal.http().post('/notes/').send({ text: 'a' })).status).toBe(503)
  })

  test('a mistake in a query causes a 500', async () => {
    await using portal = await throwing(Object.assign(new Error('no such column'), { code: 'SQLITE_ERROR' }))
    expect((await portal.http().post('/notes/').send({ text: 'a' })).body.code).toBe('server_error')
  })

  test('while the file cannot be written, reads continue and no write is half done', async () => {
    await using portal = await startHttp()
    const headers = { authorization: `Bearer ${await portal.token('alice@example.com')}` }
    const { raw } = portal.world.db
    raw.pragma('query_only = ON')
    const change = await portal.http().patch('/users/settings/').set(headers).send({ firstname: 'Alicia' })
    expect([change.status, change.body.code]).toEqual([503, 'unavailable'])
    expect((await portal.http().get('/users/settings/').set(headers)).body.firstname).toBe('Alice')
    raw.pragma('query_only = OFF')
    expect((await portal.http().patch('/users/settings/').set(headers).send({ firstname: 'Alicia' })).status).toBe(200)
  })
})

describe('the log of failed requests', () => {
  test("our failures are logged with their cause, callers' mistakes are not", async () => {
    const { told, logger } = createTestLog()
    const add = () => {
      throw new Error('the disk is gone')
    }
    await using portal = await startWith(notes, { add }, { logger })
    await portal.http().post('/notes/').send('{')
    await portal.http().get('/nowhere')
    expect(told.filter(({ level }) => level >= 40)).toEqual([])
    await portal.http().post('/notes/').send({ text: 'a' })
    expect(told.filter(({ level }) => level >= 40)).toMatchObject([
      { level: 50, msg: 'a request failed', err: { message: 'the disk is gone' } },
    ])
  })
})
