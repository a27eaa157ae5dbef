import { EventEmitter, once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Contract, file, stream } from '#contracts/lib/route.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startWith } from '#server/test/test-app.ts'
import { PORTAL_CONFIG as config } from '#server/test/test-config.ts'

const LIST = JSON.stringify(Array.from({ length: 60 }, (_, id) => ({ id, name: `Tracker ${id}` })))
const CSV = Array.from({ length: 200 }, (_, row) => `2026-03-02T09:00:00Z,${row}\r\n`).join('')
const PAGE = `<!doctype html><title>Portal</title>${'<p>Trackers</p>'.repeat(200)}`
const facts = { access: 'public', summary: '', provenance: 'spec', safety: 'read', method: 'GET' } as const

const samples = {
  list: { ...facts, path: '/samples/list/', response: { 200: z.array(z.object({ id: z.number(), name: z.string() })) } },
  cached: { ...facts, path: '/samples/cached/', response: { 200: z.array(z.object({ id: z.number(), name: z.string() })) } },
  short: { ...facts, path: '/samples/short/', response: { 200: z.object({ name: z.string() }) } },
  csv: { ...facts, path: '/samples/csv/', response: { 200: file('text/csv') } },
  pdf: { ...facts, path: '/samples/pdf/', response: { 200: file('application/pdf') } },
  events: { ...facts, path: '/samples/events/', response: { 200: stream('text/event-stream') } },
  token: { ...facts, path: '/samples/auth/token/', response: { 200: z.object({ token: z.string() }) } },
} as const satisfies Contract

async function* eventsOf() {
  yield `data: ${'x'.repeat(5000)}\n\n`
}

let root = ''
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'whereabouts-compress-'))
  mkdirSync(path.join(root, 'assets'))
  writeFileSync(path.join(root, 'index.html'), PAGE)
  writeFileSync(path.join(root, 'photo.png'), Buffer.alloc(4000))
})
afterAll(() => rmSync(root, { recursive: true }))

async function start() {
  const composed = Buffer.from(LIST)
  const portal = await startWith(
    samples,
    {
      list: () => JSON.parse(LIST),
      cached: () => ({ composed, etag: 'W/"v1"' }),
      short: () => ({ name: 'Rex' }),
      csv: () => ({ filename: 'a.csv', content: Readable.from([CSV, CSV]) as AsyncIterable<string> }),
      pdf: () => ({ filename: 'a.pdf', content: Buffer.alloc(5000) }),
      events: eventsOf,
      token: () => ({ token: 'a'.repeat(5000) }),
    },
    { portal: { root, config } },
  )
  const send = (url: string, accepted: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    portal.app.inject({ method, url, headers: { 'accept-encoding': accepted, ...headers } })
  return { ...portal, composed, send, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

const decompressors = { br: brotliDecompressSync, gzip: gunzipSync }
const BROWSER = 'gzip, deflate, br, zstd'

describe('compressed responses', () => {
  test("JSON, csv and HTML are compressed with the client's preferred encoding, and decompress to the same bytes", async () => {
    await using portal = await start()
    const bodies = [
      ['/samples/list/', LIST],
      ['/samples/cached/', LIST],
      ['/samples/csv/', CSV + CSV],
      ['/login', PAGE],
    ] as const
    const choices = [
      [BROWSER, 'br'],
      ['gzip, deflate', 'gzip'],
      ['br;q=0.5, gzip;q=1', 'gzip'],
      ['*', 'br'],
    ] as const
    const rows = bodies.flatMap(([url, body]) => choices.map(([accepted, encoding]) => ({ url, body, accepted, encoding })))
    expect(
      await collectFailures(
        rows,
        ({ url, accepted }) => `${url} ${accepted}`,
        async ({ url, body, accepted, encoding }) => {
          const { headers, rawPayload } = await portal.send(url, accepted)
          expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding'])
          expect(rawPayload.length).toBeLessThan(body.length / 2)
          expect(decompressors[encoding](rawPayload).toString()).toBe(body)
          if (headers['content-length']) expect(headers['content-length']).toBe(String(rawPayload.length))
        },
      ),
    ).toEqual([])
  })

  test('a client that accepts no compression gets the plain bytes, and caches learn that others do not', async () => {
    await using portal = await start()
    const rows = ['', 'identity', 'br;q=0, gzip;q=0', 'deflate']
    expect(
      await collectFailures(rows, String, async (accepted) => {
        const { headers, body } = await portal.send('/samples/list/', accepted)
        expect([headers['content-encoding'], headers.vary, headers['content-length'], body]).toEqual([
          undefined,
          'accept-encoding',
          String(LIST.length),
          LIST,
        ])
      }),
    ).toEqual([])
  })

  test('short responses, PDFs, pictures, event streams and responses with tokens are sent uncompressed', async () => {
    await using portal = await start()
    const rows = ['/samples/short/', '/samples/pdf/', '/photo.png', '/samples/events/', '/samples/auth/token/', '/config.json', '/devices/']
    expect(
      await collectFailures(rows, String, async (url) => {
        const { headers } = await portal.send(url, BROWSER)
        expect(headers['content-encoding']).toBeUndefined()
      }),
    ).toEqual([])
  })

  test('a cached list is compressed once for each encoding', async () => {
    await using portal = await start()
    await portal.send('/samples/cached/', 'br')
    portal.composed.fill(' ') // a second compression would now produce blanks
    expect(brotliDecompressSync((await portal.send('/samples/cached/', 'br')).rawPayload).toString()).toBe(LIST)
    expect(
      gunzipSync((await portal.send('/samples/cached/', 'gzip')).rawPayload)
        .toString()
        .trim(),
    ).toBe('')
  })

  test('a 304 names the headers that the response depends on, whatever the client accepts', async () => {
    await using portal = await start()
    for (const accepted of [BROWSER, 'identity'])
      for (const known of ['W/"v1"', '"v1"', '"v0", W/"v1"', '*']) {
        const { statusCode, headers, body } = await portal.send('/samples/cached/', accepted, { 'if-none-match': known })
        expect([statusCode, headers.vary, headers.etag, headers['content-encoding'], body], known).toEqual([
          304,
          'accept-encoding',
          'W/"v1"',
          undefined,
          '',
        ])
      }
    expect((await portal.send('/samples/cached/', BROWSER, { 'if-none-match': 'W/"v0"' })).statusCode).toBe(200)
  })

  test('HEAD announces the same encoding as GET, and the length if it is known', async () => {
    await using portal = await start()
    for (const url of ['/samples/list/', '/samples/cached/', '/login']) {
      const [head, whole] = [await portal.send(url, BROWSER, {}, 'HEAD'), await portal.send(url, BROWSER)]
      expect([head.statusCode, head.headers['content-encoding'], head.headers.vary, head.body], url).toEqual([
        200,
        'br',
        'accept-encoding',
        '',
      ])
      if (head.headers['content-length']) expect(head.headers['content-length'], url).toBe(whole.headers['content-length'])
    }
  })

  test('a part of a file is sent uncompressed', async () => {
    await using portal = await start()
    const { statusCode, headers, body } = await portal.send('/index.html', BROWSER, { range: 'bytes=0-1499' })
    expect([statusCode, headers['content-encoding'], body]).toEqual([206, undefined, PAGE.slice(0, 1500)])
  })
})

describe('compressed streams', () => {
  const startCsv = (content: () => AsyncIterable<string>) =>
    startWith({ csv: samples.csv }, { csv: () => ({ filename: 'a.csv', content: content() }) })

  test('written rows arrive before the last one is written', async () => {
    const reader = new EventEmitter()
    await using portal = await startCsv(async function* () {
      const hasRead = once(reader, 'read')
      yield CSV
      await hasRead
      yield 'end\r\n'
    })
    const response = await open(portal.app, '/samples/csv/')
    const [first] = (await once(response, 'data')) as [Buffer]
    response.pause()
    reader.emit('read')
    expect(gunzipSync(Buffer.concat([first, await buffer(response)])).toString()).toBe(`${CSV}end\r\n`)
  })

  test('a csv that fails midway is aborted rather than truncated', async () => {
    const reader = new EventEmitter()
    await using portal = await startCsv(async function* () {
      const hasRead = once(reader, 'read')
      yield CSV
      await hasRead
      throw new Error('the disk is gone')
    })
    const response = await open(portal.app, '/samples/csv/')
    await once(response, 'data')
    response.pause()
    reader.emit('read')
    await expect(buffer(response)).rejects.toThrow('aborted')
  })

  test('a csv that fails before its first row gets a plain 500', async () => {
    // biome-ignore lint/correctness/useYield: it fails before
    await using portal = await startCsv(async function* () {
      throw new Error('the disk is gone')
    })
    const { statusCode, headers, body } = await portal.app.inject({ url: '/samples/csv/', headers: { 'accept-encoding': 'gzip' } })
    expect([statusCode, headers['content-encoding'], JSON.parse(body).code]).toEqual([500, undefined, 'server_error'])
  })
})

/** Requests a gzip response over a socket, and returns the bytes as they arrive. */
async function open(app: FastifyInstance, url: string) {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return new Promise<Readable>((resolve, reject) =>
    get({ port, path: url, headers: { 'accept-encoding': 'gzip' } }, resolve).on('error', reject),
  )
}
