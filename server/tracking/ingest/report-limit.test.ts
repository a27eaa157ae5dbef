import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { REPORTS } from './report-limit.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const { rex } = SEED.devices
const messages = async (portal: Portal) => (await portal.call(ALICE, 'GET', `/devices/${rex}/keys/messages/`)).body

async function connect(portal: Portal) {
  const { key } = (await portal.call(ALICE, 'POST', `/devices/${rex}/keys/`, { label: 'Phone' })).body
  const { identifier } = (await portal.call(ALICE, 'GET', `/devices/${rex}/`)).body
  return { key, identifier }
}

const fixesAt = (from: Date, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    lat: -34.9,
    lng: -56.1,
    precision: 10,
    datetime: new Date(from.getTime() - n * 1000).toISOString(),
  }))

test('D-51 a key reports 20,000 positions of a tracker on one day, and more from midnight (UTC) on', async () => {
  await using portal = await startPortal()
  const { key, identifier } = await connect(portal)
  const send = (count: number) =>
    portal.call(null, 'POST', '/devices/ingest/', { identifier, positions: fixesAt(portal.clock.now(), count) }, { 'x-device-key': key })
  for (let sent = 0; sent < REPORTS.perDay; sent += 1000) expect((await send(1000)).status).toBeLessThan(300)
  const refused = await send(1)
  expect(refused).toMatchObject({ status: 429, body: { code: 'throttled' } })
  expect(refused.headers['retry-after']).toBe(String(15 * 3600))
  expect((await portal.call(null, 'GET', `/ingest/osmand?lat=-34.9&lon=-56.1&id=${key}`)).status).toBe(429)
  expect(await messages(portal)).toMatchObject([{ outcome: 'refused', reason: 'too_many', positions: 0 }])
  portal.clock.set({ at: new Date('2026-03-03T00:00:00Z') })
  expect((await send(1)).status).toBeLessThan(300)
})

test('D-51 positions older than 30 days are refused from a key of the owner and accepted from a gateway', async () => {
  await using portal = await startPortal()
  const { key, identifier } = await connect(portal)
  const days = (n: number) => new Date(portal.clock.now().getTime() - n * 86_400_000)
  const send = (secret: string, at: Date) =>
    portal.call(null, 'POST', '/devices/ingest/', { identifier, positions: fixesAt(at, 1) }, { 'x-device-key': secret })
  expect((await send(key, days(31))).body).toMatchObject({ accepted: 0, refused: [{ index: 0, reason: 'too_old' }] })
  expect((await send(key, days(29))).body).toMatchObject({ accepted: 1 })
  expect((await send(DEVICE_KEY, days(31))).body).toMatchObject({ accepted: 1 })
})
