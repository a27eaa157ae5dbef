import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const { rex } = SEED.devices
const GATEWAY = { 'x-device-key': 'demo-device-key' }
const DATETIME = '2026-03-02T09:00:30Z'
const SECONDS = Date.parse(DATETIME) / 1000
const MESSAGE = JSON.stringify({ identifier: '1000000001', positions: [{ lat: -34.9, lng: -56.15, precision: 4, datetime: DATETIME }] })

async function post({ app }: Portal, url: string, payload: Buffer, headers: Record<string, string>) {
  return (await app.inject({ method: 'POST', url, payload, headers: { ...GATEWAY, ...headers } })).statusCode
}

async function startAtFix() {
  const portal = await startPortal()
  await portal.call(null, 'POST', '/mock/clock', { at: '2026-03-02T09:01:00Z' })
  return portal
}

const readPrecisions = async (portal: Portal) => {
  const period = `not_before=${DATETIME}&not_after=${DATETIME}`
  const { results } = (await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_data/?${period}`)).body
  return results.map(({ precision }: { precision: number }) => precision)
}

const JSON_TYPE = { 'content-type': 'application/json' }
const form = `id=1000000001&lat=-34.9&lon=-56.15&timestamp=${SECONDS}&accuracy=4`
const location = JSON.stringify({ _type: 'location', lat: -34.9, lon: -56.15, tst: SECONDS, acc: 4 })
const basic = { authorization: `Basic ${btoa('1000000001:demo-device-key')}`, ...JSON_TYPE }

describe('a compressed message of a device', () => {
  test.each<[string, string, Buffer, Record<string, string>, number]>([
    ['our own JSON in gzip', '/devices/ingest/', gzipSync(MESSAGE), { 'content-encoding': 'gzip', ...JSON_TYPE }, 201],
    ['our own JSON in brotli', '/devices/ingest/', brotliCompressSync(MESSAGE), { 'content-encoding': 'br', ...JSON_TYPE }, 201],
    ['a form in gzip', '/ingest/osmand', gzipSync(form), { 'content-encoding': 'GZIP' }, 200],
    ['a form in deflate', '/ingest/osmand', deflateSync(form), { 'content-encoding': 'deflate' }, 200],
    ['a form that is not compressed', '/ingest/osmand', Buffer.from(form), { 'content-encoding': 'identity' }, 200],
    ['OwnTracks in gzip', '/ingest/owntracks', gzipSync(location), { 'content-encoding': 'gzip', ...basic }, 200],
  ])('is read: %s', async (_words, path, body, headers, status) => {
    await using portal = await startAtFix()
    expect([await post(portal, path, body, headers), await readPrecisions(portal)]).toEqual([status, [4]])
  })

  test.each<[string, Buffer, string, number]>([
    ['one that is broken with 400', Buffer.from('no gzip'), 'gzip', 400],
    ['one that is cut off with 400', gzipSync(MESSAGE).subarray(0, 30), 'gzip', 400],
    ['one in an unknown encoding with 415', Buffer.from(MESSAGE), 'zstd', 415],
    ['one that grows above the limit of its route with 413', gzipSync(Buffer.alloc(50_000_000, 32)), 'gzip', 413],
    ['one that is above the limit itself with 413', Buffer.alloc(300_000), 'gzip', 413],
  ])('is refused: %s', async (_words, body, encoding, status) => {
    await using portal = await startAtFix()
    expect(await post(portal, '/devices/ingest/', body, { 'content-encoding': encoding, ...JSON_TYPE })).toBe(status)
    expect(await readPrecisions(portal)).toEqual([])
  })
})
