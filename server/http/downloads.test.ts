import { describe, expect, test } from 'vitest'
import { type Contract, file, stream } from '#contracts/lib/route.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { startWith } from '#server/test/test-app.ts'
import type { Download } from './serve.ts'

const facts = { method: 'GET', summary: 'Only a test', access: 'public', safety: 'read', provenance: 'assumed' } as const
const files = {
  csv: { ...facts, path: '/files/csv', response: { 200: file('text/csv') } },
  pdf: { ...facts, path: '/files/pdf', response: { 200: file('application/pdf') } },
  events: { ...facts, path: '/files/events', response: { 200: stream('text/event-stream') } },
} as const satisfies Contract

async function* parts(...texts: string[]) {
  yield* texts
}

const start = (download: Download, events: () => AsyncIterable<string> = () => parts()) =>
  startWith(files, { csv: () => download, pdf: () => download, events })

/** Returns the file name that a browser uses: the extended one of RFC 6266. */
const nameIn = (disposition: string) => decodeURIComponent(/filename\*=UTF-8''(\S+)$/.exec(disposition)?.[1] ?? '')

describe('file names of downloads', () => {
  test('a download name is sent as UTF-8 with an ASCII fallback', async () => {
    const rows = [
      ['history.csv', 'history.csv'],
      ['春香の自転車_2026.csv', '__2026.csv'],
      ['Chat Léo.csv', 'Chat_Le_o.csv'],
      ['a";b=c\r\nSet-Cookie: x=1.csv', 'a_b_c_Set-Cookie_x_1.csv'],
      ['🐕.pdf', '_.pdf'],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([filename]) => filename,
        async ([filename, plain]) => {
          await using portal = await start({ filename, content: Buffer.from('x') })
          const { headers } = await portal.http().get('/files/csv')
          const disposition = String(headers['content-disposition'])
          expect(nameIn(disposition)).toBe(filename)
          expect(disposition).toContain(`attachment; filename="${plain}"; `)
          expect(disposition).toMatch(/^[\x20-\x7e]+$/)
          expect(headers['set-cookie']).toBeUndefined()
        },
      ),
    ).toEqual([])
  })

  test('apostrophes and stars are encoded in the extended file name', async () => {
    await using portal = await start({ filename: "Leo's (old) *.csv", content: Buffer.from('x') })
    const disposition = String((await portal.http().get('/files/csv')).headers['content-disposition'])
    expect(nameIn(disposition)).toBe("Leo's (old) *.csv")
    expect(disposition.split("UTF-8''")[1]).not.toMatch(/['()*]/)
  })

  test('R-1.14 the CSV of a tracker with a Japanese name is named after it', async () => {
    await using portal = await startPortal()
    const { harukaBike } = SEED.devices
    const device = (await portal.call('haruka@example.com', 'GET', `/devices/${harukaBike}/`)).body
    const { headers } = await portal.call('haruka@example.com', 'GET', `/devices/${harukaBike}/tracker_data/export_csv/`)
    expect(device.name).toMatch(/[\u3040-\u9fff]/)
    expect(nameIn(String(headers['content-disposition']))).toMatch(new RegExp(`^${device.name}_.*\\.csv$`))
  })
})

describe('content of downloads', () => {
  test('a CSV has a charset and a PDF has none', async () => {
    await using portal = await start({ filename: 'a', content: Buffer.from('å') })
    expect((await portal.http().get('/files/csv')).headers['content-type']).toBe('text/csv; charset=utf-8')
    expect((await portal.http().get('/files/pdf')).headers['content-type']).toBe('application/pdf')
  })

  test('bytes arrive unchanged with their length', async () => {
    const content = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    await using portal = await start({ filename: 'a.pdf', content })
    const { body, headers } = await portal.http().get('/files/pdf').buffer(true)
    expect(headers['content-length']).toBe('256')
    expect(Buffer.from(body)).toEqual(Buffer.from(content))
  })

  test('streamed content is sent chunked, bytes and text alike', async () => {
    async function* mixed() {
      yield 'id;name\r\n'
      yield Buffer.from('1;春香\r\n')
    }
    await using portal = await start({ filename: 'a.csv', content: mixed() })
    const { text, headers } = await portal.http().get('/files/csv')
    expect(text).toBe('id;name\r\n1;春香\r\n')
    expect(headers['transfer-encoding']).toBe('chunked')
  })

  test('a download that fails midway is aborted rather than truncated', async () => {
    async function* broken() {
      yield 'id\r\n'
      throw new Error('the disk is gone')
    }
    await using portal = await start({ filename: 'a.csv', content: broken() })
    await expect(portal.http().get('/files/csv').set('accept-encoding', 'identity')).rejects.toThrow(/aborted|socket hang up/)
    expect((await portal.http().get('/healthz')).status).toBe(200)
  })
})

describe('event streams', () => {
  test('an event stream is neither cached nor buffered by a proxy', async () => {
    await using portal = await start({ filename: '', content: parts() }, () => parts('event: a\n\n', 'event: b\n\n'))
    const { headers, text } = await portal.http().get('/files/events').buffer(true)
    expect(headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    expect(text).toBe('event: a\n\nevent: b\n\n')
  })

  test('HEAD does not open an event stream, which would never end', async () => {
    let isRead = false
    const listen = () => {
      isRead = true
      return parts()
    }
    await using portal = await start({ filename: '', content: parts() }, listen)
    expect([(await portal.http().head('/files/events')).status, isRead]).toEqual([404, false])
    expect((await portal.http().head('/files/pdf')).status).toBe(200)
  })
})
