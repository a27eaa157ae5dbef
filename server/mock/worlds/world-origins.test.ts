import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { createWorldOrigins } from './world-origins.ts'
import { createWorlds } from './worlds.ts'

const readOrigins = (env: Record<string, string>) => createWorldOrigins(readConfig(env))

test.each([
  ['by default', {}, 'http://localhost:8080', 'http://w-mine.localhost:8080', 'w-mine.localhost'],
  ['beside the portal', { PORTAL_ORIGIN: 'https://qa.example' }, 'https://qa.example', 'https://w-mine.localhost', 'w-mine.localhost'],
  [
    'by a pattern',
    { WORLD_ORIGIN: 'http://w-{id}.qa.example:8080' },
    'http://localhost:8080',
    'http://w-mine.qa.example:8080',
    'W-mine.QA.example',
  ],
  ['at one origin', { WORLD_ORIGIN: 'http://qa.example:8080/' }, 'http://qa.example:8080', 'http://qa.example:8080', 'w-mine.localhost'],
])('worlds are reached %s', (_, env, main, world, host) => {
  const origins = readOrigins(env as Record<string, string>)
  expect([origins.main, origins.find('mine'), origins.readId(host)]).toEqual([main, world, 'mine'])
  expect(['localhost', 'qa.example', 'w-mine.qa.example.net', 'w-.qa.example'].map(origins.readId)).toEqual(Array(4).fill(undefined))
})

test.each(['qa.example', 'http://qa.example/{id}', 'http://{id}.{id}.example', 'http://w-{world}.example', 'ftp://w-{id}.example'])(
  'WORLD_ORIGIN %s is refused at the start',
  (WORLD_ORIGIN) => expect(() => readConfig({ WORLD_ORIGIN })).toThrow(/WORLD_ORIGIN: .* is not an origin such as/),
)

test("an entry link chooses a browser's world by a cookie, even after its last world has ended, and leads to no other site", async () => {
  await using portal = await startPortal()
  await portal.call(null, 'POST', '/mock/worlds', { id: 'mine' })
  const enter = (path: string, headers = {}) => portal.call(null, 'GET', path, undefined, headers)
  const entered = await enter('/mock/enter/mine?to=%2Fplaces%3Fadd%3D1', { cookie: '__world=ended' })
  expect([entered.status, entered.headers.location]).toEqual([302, '/places?add=1'])
  const cookie = String(entered.headers['set-cookie']).split(';')[0]!
  expect((await portal.call(null, 'GET', '/mock', undefined, { cookie })).body.world.id).toBe('mine')
  for (const to of ['//evil.example', 'https://evil.example/', '/\\evil.example', 'places'])
    expect((await enter(`/mock/enter/mine?to=${encodeURIComponent(to)}`)).headers.location, to).toBe('/')
  expect((await enter('/mock/enter/mine/?to=/places')).headers.location).toBe('/places')
  expect(await enter('/mock/enter/nowhere')).toMatchObject({ status: 404, body: { code: 'unknown_world' } })
  const named = await enter('/mock/enter/mine?to=/places', { host: 'w-other.localhost' })
  expect([named.headers.location, named.headers['set-cookie']]).toEqual(['http://portal.test/places', undefined])
})

test('a new world is refused when the server has reached its limit', async () => {
  await using portal = await startPortal()
  const main = portal.world
  const worlds = createWorlds(main, async ({ id }) => ({ ...main, id, close() {} }), { max: 2 })
  await worlds.create({ id: 'second', seed: 1 })
  await expect(worlds.create({ id: 'third', seed: 1 })).rejects.toMatchObject({ code: 'too_many_worlds', extras: { worlds: 2 } })
  await worlds.remove('second')
  await worlds.create({ id: 'third', seed: 1 })
})

test('the metrics count the worlds', async () => {
  await using portal = await startPortal()
  await portal.call(null, 'POST', '/mock/worlds', { id: 'mine' })
  expect((await portal.call(null, 'GET', '/metrics')).body).toMatch(/^mock_worlds 2$/m)
})
