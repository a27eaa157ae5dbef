import { describe, expect, test } from 'vitest'
import { formatInstant } from '#contracts/rules/time.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>
type Sent = readonly [method: 'GET' | 'POST', url: string, body?: unknown, headers?: Record<string, string>]

const ALICE = 'alice@example.com'
const { rex, misty } = SEED.devices
const SECONDS = Date.parse('2026-03-02T09:00:00Z') / 1000
const JSON_TYPE = { 'content-type': 'application/json' }
const createKey = async (portal: Portal, device: number = rex) => (await portal.call(ALICE, 'POST', `/devices/${device}/keys/`, {})).body
const readMessages = async (portal: Portal, device: number = rex) =>
  (await portal.call(ALICE, 'GET', `/devices/${device}/keys/messages/`)).body
const later = ({ clock }: Portal, ms: number) => clock.set({ at: new Date(clock.now().getTime() + ms) })

const feature = (changes: object = {}) => ({
  geometry: { coordinates: [-56.15, -34.9] },
  properties: { timestamp: '2026-03-02T09:00:00Z', ...changes },
})
const owntracks = (key: string, body: unknown): Sent => [
  'POST',
  '/ingest/owntracks',
  body,
  { ...JSON_TYPE, authorization: `Basic ${btoa(`a:${key}`)}` },
]
const overland = (key: string, body: unknown): Sent => ['POST', '/ingest/overland', body, { ...JSON_TYPE, authorization: `Bearer ${key}` }]
const json = (key: string, body: unknown): Sent => ['POST', '/devices/ingest/', body, { ...JSON_TYPE, 'x-device-key': key }]
const position = { lat: -34.9, lng: -56.15, precision: 5, datetime: '2026-03-02T09:00:00Z' }
const read = { outcome: 'read', reason: null }

describe('messages of keys', () => {
  test('the last message of a key shows its time, protocol, outcome and reason', async () => {
    const rows: [string, (key: string) => Sent, object][] = [
      ['a position', (key) => ['GET', `/ingest/osmand?id=${key}&lat=-34.9&lon=-56.15`], { ...read, protocol: 'osmand', positions: 1 }],
      ['a heartbeat', (key) => ['GET', `/ingest/osmand?id=${key}`], { ...read, protocol: 'osmand', positions: 0 }],
      [
        'latitude 91',
        (key) => ['GET', `/ingest/osmand?id=${key}&lat=91&lon=0`],
        { protocol: 'osmand', outcome: 'refused', reason: 'coordinates' },
      ],
      ['a wrong time', (key) => ['GET', `/ingest/osmand?id=${key}&lat=9&lon=0&timestamp=noon`], { outcome: 'refused', reason: 'time' }],
      [
        'a fix of tomorrow',
        (key) => ['GET', `/ingest/osmand?id=${key}&lat=9&lon=0&timestamp=${SECONDS + 86_400}`],
        { outcome: 'read', reason: 'in_the_future', positions: 1 },
      ],
      ['no JSON', (key) => ['POST', `/ingest/osmand?id=${key}`, '{"lat":', JSON_TYPE], { outcome: 'refused', reason: 'malformed' }],
      [
        'JSON of something else',
        (key) => ['POST', `/ingest/osmand?id=${key}`, { locations: [] }, JSON_TYPE],
        { outcome: 'refused', reason: 'unknown_format' },
      ],
      [
        'an encrypted message',
        (key) => owntracks(key, { _type: 'encrypted' }),
        { protocol: 'owntracks', outcome: 'refused', reason: 'encrypted' },
      ],
      ['a waypoint', (key) => owntracks(key, { _type: 'waypoint' }), { ...read, protocol: 'owntracks', positions: 0 }],
      ['a batch', (key) => overland(key, { locations: [feature(), feature()] }), { ...read, protocol: 'overland', positions: 2 }],
      [
        'a batch with one unreadable time',
        (key) => overland(key, { locations: [feature(), feature({ timestamp: '?' })] }),
        { outcome: 'read', reason: 'time', positions: 1 },
      ],
      [
        'a batch above 1 MB',
        (key) => overland(key, { locations: [feature({ wifi: 'x'.repeat(1_100_000) })] }),
        { protocol: 'overland', outcome: 'refused', reason: 'too_large' },
      ],
      [
        'our own message',
        (key) => json(key, { identifier: '1000000001', positions: [position] }),
        { ...read, protocol: 'json', positions: 1 },
      ],
      [
        'our own message with a wrong latitude',
        (key) => json(key, { identifier: '1000000001', positions: [{ ...position, lat: 91 }] }),
        { protocol: 'json', outcome: 'refused', reason: 'coordinates' },
      ],
      ['our own message without JSON', (key) => json(key, '{'), { protocol: 'json', outcome: 'refused', reason: 'malformed' }],
    ]
    await using portal = await startPortal()
    const { id, key } = await createKey(portal)
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, requestOf, expected]) => {
          later(portal, 10_000)
          await portal.call(null, ...requestOf(key))
          const datetime = formatInstant(portal.clock.now())
          expect(await readMessages(portal)).toEqual([expect.objectContaining({ key: id, datetime, ...expected })])
        },
      ),
    ).toEqual([])
  })

  test('each key has its own last message, newest first, and a revoked key none', async () => {
    await using portal = await startPortal()
    const keys = [await createKey(portal), await createKey(portal)]
    for (const { key } of keys) {
      later(portal, 60_000)
      await portal.call(null, 'GET', `/ingest/osmand?id=${key}`)
    }
    later(portal, 60_000)
    await portal.call(null, 'GET', `/ingest/osmand?id=${keys[0].key}&lat=95&lon=0`)
    expect((await readMessages(portal)).map(({ key, outcome }: Record<string, unknown>) => [key, outcome])).toEqual([
      [keys[0].id, 'refused'],
      [keys[1].id, 'read'],
    ])
    await portal.call(ALICE, 'DELETE', `/devices/${rex}/keys/${keys[0].id}/`)
    expect(await readMessages(portal)).toHaveLength(1)
    expect(await readMessages(portal, misty)).toEqual([])
  })

  test("a gateway's message is listed for the tracker it named, without the key", async () => {
    await using portal = await startPortal()
    await portal.call(null, 'GET', '/ingest/osmand?id=1000000001', undefined, { 'x-device-key': 'demo-device-key' })
    expect(await readMessages(portal)).toMatchObject([{ key: null, outcome: 'read', protocol: 'osmand' }])
    expect(await readMessages(portal, misty)).toEqual([])
  })

  test('a message with a wrong key is not recorded', async () => {
    await using portal = await startPortal()
    await createKey(portal)
    await portal.call(null, 'GET', `/ingest/osmand?id=${'0'.repeat(40)}`)
    expect(await readMessages(portal)).toEqual([])
  })
})
