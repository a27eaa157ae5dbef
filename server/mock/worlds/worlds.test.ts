import { expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import type { MockWorld } from './world.ts'
import { createWorlds } from './worlds.ts'

test('each world has its own clock, sessions and data', async () => {
  await using portal = await startPortal()
  const made = await portal.call(null, 'POST', '/mock/worlds', { id: 'blue', clock: { at: '2026-05-01T00:00:00Z' } })
  expect(made).toMatchObject({ status: 201, body: { id: 'blue', clock: { now: '2026-05-01T00:00:00Z', mode: 'frozen' } } })
  const alice = made.body.personas.find(({ key }: { key: string }) => key === 'alice')
  const inBlue = { authorization: `Bearer ${alice.token}`, 'x-world': 'blue' }
  expect((await portal.call(null, 'GET', '/options/', undefined, inBlue)).status).toBe(200)
  expect((await portal.call(null, 'GET', '/options/', undefined, { ...inBlue, 'x-world': 'main' })).status).toBe(401)
})

test('a world is found by header, host or cookie', async () => {
  await using portal = await startPortal()
  await portal.call(null, 'POST', '/mock/worlds', { id: 'blue', clock: { at: '2026-05-01T00:00:00Z' } })
  const now = async (headers: Record<string, string>) => (await portal.call(null, 'GET', '/mock/clock', undefined, headers)).body.now
  expect(await now({ 'x-world': 'blue' })).toBe('2026-05-01T00:00:00Z')
  expect(await now({ host: 'w-blue.localhost:8080' })).toBe('2026-05-01T00:00:00Z')
  expect(await now({ cookie: '__world=blue' })).toBe('2026-05-01T00:00:00Z')
  expect(await now({})).toBe('2026-03-02T09:00:00Z')
  expect(await now({ 'x-world': 'main', host: 'w-blue.localhost' })).toBe('2026-03-02T09:00:00Z')
})

test('an unknown world is refused, and so is a second world of the same name', async () => {
  await using portal = await startPortal()
  expect(await portal.call(null, 'GET', '/mock/clock', undefined, { 'x-world': 'nowhere' })).toMatchObject({
    status: 404,
    body: { code: 'unknown_world' },
  })
  expect(await portal.call(null, 'POST', '/mock/worlds', { id: 'main' })).toMatchObject({ status: 409, body: { code: 'world_exists' } })
})

test('a reset restores the seeded data', async () => {
  await using portal = await startPortal()
  const name = async () => (await portal.call('alice@example.com', 'GET', '/users/settings/')).body.firstname
  const before = await name()
  await portal.call('alice@example.com', 'PATCH', '/users/settings/', { firstname: 'Alicia' })
  expect(await name()).toBe('Alicia')
  const reset = await portal.call(null, 'POST', '/mock/reset', {})
  const { token } = reset.body.personas.find(({ key }: { key: string }) => key === 'alice')
  expect((await portal.call(null, 'GET', '/users/settings/', undefined, { authorization: `Bearer ${token}` })).body.firstname).toBe(before)
})

test('a world in which only stock can be claimed stays so after a reset and in its document', async () => {
  await using portal = await startPortal()
  const create = (path: string, body: object) => portal.call(null, 'POST', path, body)
  expect((await create('/mock/worlds', { id: 'usual' })).body.claims).toBe('any')
  expect((await create('/mock/worlds', { id: 'shop', claims: 'stock' })).body.claims).toBe('stock')
  expect((await portal.call(null, 'POST', '/mock/reset', {}, { 'x-world': 'shop' })).body.claims).toBe('stock')
  const { body: document } = await portal.call(null, 'GET', '/mock/worlds/shop/export')
  expect(document.world.claims).toBe('stock')
  expect((await create('/mock/worlds/import?id=again', document)).body.claims).toBe('stock')
  const invented = { identifier: '12345678-90', name: 'Boat', kind: 'other', type: 'tracker_01' }
  expect(await portal.call('alice@example.com', 'POST', '/devices/trackers/', invented)).toMatchObject({ status: 201 })
  const token = (await portal.call(null, 'POST', '/mock/login', { persona: 'alice' }, { 'x-world': 'again' })).body.token
  const headers = { 'x-world': 'again', authorization: `Bearer ${token}` }
  expect((await portal.call(null, 'POST', '/devices/trackers/', invented, headers)).body.code).toBe('not_in_stock')
})

test('a reset closes open streams, so that their clients reconnect to the new world', async () => {
  await using portal = await startPortal()
  const headers = { authorization: `Bearer ${await portal.token('alice@example.com')}` }
  const stream = (await portal.app.inject({ url: '/devices/live/', headers, payloadAsStream: true })).stream()
  await portal.call(null, 'POST', '/mock/reset', {})
  let text = ''
  for await (const part of stream) text += part
  expect(text).toContain(': live')
})

test("a world's clock can be set, unfrozen and advanced, and trackers send what falls due on the way", async () => {
  await using portal = await startPortal()
  expect((await portal.call(null, 'POST', '/mock/clock/advance', { by: 'PT5M' })).body).toMatchObject({
    from: '2026-03-02T09:00:00Z',
    to: '2026-03-02T09:05:00Z',
    positions: expect.any(Number),
  })
  expect((await portal.call(null, 'GET', '/mock/clock')).body).toEqual({ now: '2026-03-02T09:05:00Z', mode: 'frozen', rate: 1 })
  expect((await portal.call(null, 'POST', '/mock/clock', { mode: 'flow', rate: 60 })).body).toMatchObject({ mode: 'flow', rate: 60 })
  expect(await portal.call(null, 'POST', '/mock/clock/advance', { by: 'tomorrow' })).toMatchObject({
    status: 400,
    body: { code: 'validation_error', errors: { by: [expect.any(String)] } },
  })
})

test('without a control token only local, same-site callers may use the control plane', async () => {
  await using portal = await startPortal()
  expect((await portal.call(null, 'GET', '/mock/clock', undefined, { host: 'portal.evil.example' })).status).toBe(403)
  expect((await portal.call(null, 'GET', '/mock/clock', undefined, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
})

test('a world that was created ends after its idle time; main and worlds in use do not', async () => {
  let now = Date.parse('2026-03-02T09:00:00Z')
  const closed: string[] = []
  const world = (id: string) => ({ id, clock: { state: () => ({ mode: 'flow' }) }, close: () => closed.push(id) }) as unknown as MockWorld
  const worlds = createWorlds(world('main'), async ({ id }) => world(id), { wall: { now: () => new Date(now) } })
  const call = (id: string) => worlds.of({ url: '/', headers: { 'x-world': id }, hostname: 'localhost', cookies: {} })
  await worlds.create({ id: 'left', seed: 1, ttl: 60 })
  await worlds.create({ id: 'used', seed: 1, ttl: 60 })
  await worlds.create({ id: 'usual', seed: 1 })
  now += 40_000
  call('used')
  now += 30_000
  await worlds.expire()
  expect(closed).toEqual(['left'])
  expect(() => call('left')).toThrow('unknown_world')
  now += 3_600_000
  await worlds.expire()
  expect(worlds.all().map(({ id }) => id)).toEqual(['main'])
})

test('responses carry the time of their world', async () => {
  await using portal = await startPortal()
  expect((await portal.call(null, 'GET', '/mock/clock')).headers.date).toBe('Mon, 02 Mar 2026 09:00:00 GMT')
  await portal.call(null, 'POST', '/mock/clock/advance', { by: 'P1D' })
  expect((await portal.call('alice@example.com', 'GET', '/options/')).headers.date).toBe('Tue, 03 Mar 2026 09:00:00 GMT')
  expect((await portal.call(null, 'GET', '/options/')).headers.date).toBe('Tue, 03 Mar 2026 09:00:00 GMT')
})
