import { expect, test, vi } from 'vitest'
import { deviceKeys } from '#db/schema/devices.ts'
import * as sessions from '#db/sessions.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const MAX = 120
const ingest = ({ app }: Portal, key: string, remoteAddress = '203.0.113.7', url = '/devices/ingest/') =>
  app.inject({ method: 'POST', url, remoteAddress, headers: { 'x-device-key': key }, payload: { identifier: '1000000001', positions: [] } })

test('after 120 wrong device keys in a minute an address is throttled on all ingest endpoints', async () => {
  await using portal = await startPortal({ app: { rateLimits: true } })
  const wrong = await Promise.all(Array.from({ length: MAX }, (_, n) => ingest(portal, `wrong ${n}`)))
  expect(new Set(wrong.map(({ statusCode }) => statusCode))).toEqual(new Set([401]))
  for (const url of ['/devices/ingest/', '/ingest/osmand', '/ingest/owntracks']) {
    const refused = await ingest(portal, 'wrong', '203.0.113.7', url)
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'throttled'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  }
  expect((await ingest(portal, 'wrong', '203.0.113.8')).statusCode).toBe(401)
})

test('a correct device key is never throttled, since other devices behind the same gateway may have wrong keys', async () => {
  await using portal = await startPortal({ app: { rateLimits: true } })
  const responses = await Promise.all(Array.from({ length: MAX * 2 + 2 }, (_, n) => ingest(portal, n % 2 ? 'wrong' : 'demo-device-key')))
  expect(responses.filter(({ statusCode }) => statusCode === 201)).toHaveLength(MAX + 1)
})

test('wrong device keys are not counted when rate limits are off', async () => {
  await using portal = await startPortal()
  const responses = await Promise.all(Array.from({ length: MAX + 5 }, () => ingest(portal, 'wrong')))
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([401]))
})

test('simultaneous messages share the look-up of their key, and those after its revocation are refused', async () => {
  await using portal = await startPortal()
  const send = (count: number) => Promise.all(Array.from({ length: count }, () => ingest(portal, 'demo-device-key')))
  const read = vi.spyOn(sessions, 'findDeviceKeys')
  expect((await send(20)).map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(201))
  expect(read).toHaveBeenCalledOnce()
  await portal.world.db.write('everything', async (tx) => void (await tx.delete(deviceKeys)))
  expect((await send(2)).map(({ statusCode }) => statusCode)).toEqual([401, 401])
})
