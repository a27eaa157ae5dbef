import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Contract, upload } from '#contracts/lib/route.ts'
import type { AppOptions } from '#server/app.ts'
import { Failure } from '#server/lib/errors.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createTestLog, startWith } from '#server/test/test-app.ts'
import type { Handlers } from './serve.ts'

const MOST = 100_000
const facts = { access: 'public', safety: 'reversible', provenance: 'assumed', method: 'POST' } as const
const body = upload('text/csv', MOST)

const files = {
  count: { ...facts, path: '/files/', summary: 'Counts bytes', body, response: { 200: z.object({ bytes: z.int() }) } },
  peek: { ...facts, path: '/peek/', summary: 'Reads a bit', body, response: { 200: z.object({}) }, errors: ['expired'] },
} as const satisfies Contract

const start = async (options: Partial<AppOptions> = {}) => {
  const handlers: Handlers<typeof files> = {
    async count({ body: bytes }) {
      let count = 0
      for await (const chunk of bytes) count += chunk.length
      return { bytes: count }
    },
    async peek({ body: bytes }) {
      for await (const _ of bytes) throw new Failure('expired')
      return {}
    },
  }
  const portal = await startWith(files, handlers, options)
  const origin = await portal.app.listen({ port: 0, host: '127.0.0.1' })
  return { ...portal, origin, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

const form = (name: string, content: string | Blob, ...more: [string, string | Blob][]) => {
  const data = new FormData()
  for (const [field, value] of [[name, content], ...more] as const) data.append(field, value)
  return data
}
const file = (size: number) => new Blob(['x'.repeat(size)], { type: 'text/csv' })
const post = async (url: string, init: RequestInit) => {
  const response = await fetch(url, { method: 'POST', ...init })
  return [response.status, await response.json()]
}
const csv = { 'content-type': 'text/csv; charset=utf-8' }

describe('accepted uploads', () => {
  test.each([0, 1, 70_000, MOST])('a raw file of %i bytes is read', async (size) => {
    await using portal = await start()
    expect(await post(`${portal.origin}/files/`, { headers: csv, body: 'x'.repeat(size) })).toEqual([200, { bytes: size }])
  })

  test.each([0, 1, 70_000, MOST])('a file of %i bytes in a form is read', async (size) => {
    await using portal = await start()
    expect(await post(`${portal.origin}/files`, { body: form('file', file(size)) })).toEqual([200, { bytes: size }])
  })

  test('a file is found after other fields and before other files', async () => {
    await using portal = await start()
    const data = form('note', 'for you', ['file', file(5)], ['another', file(70_000)], ['end', 'of it'])
    expect(await post(`${portal.origin}/files/`, { body: data })).toEqual([200, { bytes: 5 }])
  })

  test.each([MOST + 1, 20 * MOST])('a file of %i bytes is refused as too large, raw or in a form', async (size) => {
    await using portal = await start()
    const refused = [413, { code: 'too_large', detail: expect.any(String) }]
    expect(await post(`${portal.origin}/files/`, { headers: csv, body: 'x'.repeat(size) })).toEqual(refused)
    expect(await post(`${portal.origin}/files/`, { body: form('file', file(size)) })).toEqual(refused)
  })

  test('a streamed file is refused once it exceeds the limit, without an announced length', async () => {
    await using portal = await start()
    const pieces = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(30_000))
        if (++sent === 8) controller.close()
      },
    })
    let sent = 0
    const init = { headers: csv, body: pieces, duplex: 'half' } as RequestInit
    expect(await post(`${portal.origin}/files/`, init)).toMatchObject([413, { code: 'too_large' }])
  })

  test('a handler may respond before the upload is read to its end', async () => {
    await using portal = await start()
    for (const init of [{ headers: csv, body: 'x'.repeat(MOST) }, { body: form('file', file(MOST), ['next', file(MOST)]) }])
      expect(await post(`${portal.origin}/peek/`, init)).toMatchObject([410, { code: 'expired' }])
    expect(await post(`${portal.origin}/files/`, { headers: csv, body: 'after that' })).toEqual([200, { bytes: 10 }])
  })
})

describe('refused uploads', () => {
  const missing = [400, { code: 'validation_error', errors: { file: [expect.any(String)] } }]

  test('forms without a usable file are refused with an error for the file field', async () => {
    await using portal = await start()
    const rows = [
      ['an empty form', form('note', 'none')],
      ['a form with a file of another name', form('picture', file(70_000))],
      ['a form with text in its place', form('file', 'a,b')],
      ['a form with a name from the prototype', form('__proto__', file(3))],
      ['a form of many fields', form('file1', 'x', ...Array.from({ length: 40 }, (_, n) => [`f${n}`, 'x'] satisfies [string, string]))],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, data]) => {
          expect(await post(`${portal.origin}/files/`, { body: data })).toMatchObject(missing)
          expect(await post(`${portal.origin}/files/`, { headers: csv, body: 'still here' })).toEqual([200, { bytes: 10 }])
        },
      ),
    ).toEqual([])
  })

  test('broken forms are refused with an error for the file field', async () => {
    await using portal = await start()
    const rows = [
      ['no boundary', 'multipart/form-data', 'x'],
      ['an end too early', 'multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\nab'],
      ['no form in it', 'multipart/form-data; boundary=b', 'hello'],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, type, text]) => {
          expect(await post(`${portal.origin}/files/`, { headers: { 'content-type': type }, body: text })).toMatchObject(missing)
        },
      ),
    ).toEqual([])
  })

  test('a request without a body is refused with an error for the file field', async () => {
    await using portal = await start()
    expect(await post(`${portal.origin}/files/`, {})).toMatchObject(missing)
  })

  test('bodies of other types are refused with 415', async () => {
    await using portal = await start()
    const rows = ['application/json', 'text/plain', 'application/octet-stream']
    expect(
      await collectFailures(rows, String, async (type) => {
        expect(await post(`${portal.origin}/files/`, { headers: { 'content-type': type }, body: '{}' })).toMatchObject([415, {}])
      }),
    ).toEqual([])
  })

  test('a form, and JSON sent as text, are refused with 415 where no file is expected', async () => {
    await using portal = await start()
    expect(await post(`${portal.origin}/users/register`, { body: form('file', file(3)) })).toMatchObject([415, {}])
    const headers = { 'content-type': 'text/plain' }
    expect(await post(`${portal.origin}/users/register`, { headers, body: '{}' })).toMatchObject([415, {}])
  })

  test('a client that disconnects during an upload logs no error', async () => {
    const { told, logger } = createTestLog()
    await using portal = await start({ logger })
    const { hostname, port } = new URL(portal.origin)
    const socket: Socket = connect(Number(port), hostname)
    socket.write('POST /files/ HTTP/1.1\r\nhost: a\r\ncontent-type: text/csv\r\ncontent-length: 50\r\n\r\na,b')
    socket.end()
    expect(await text(socket)).toMatch(/^($|HTTP\/1\.1 400 )/)
    expect(await post(`${portal.origin}/files/`, { headers: csv, body: 'still here' })).toEqual([200, { bytes: 10 }])
    expect(told.filter(({ level }) => level >= 50)).toEqual([])
  })
})
