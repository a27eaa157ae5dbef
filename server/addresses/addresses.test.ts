import { expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'

test('addresses are suggested from three letters on, best first, at most five', async () => {
  await using portal = await startPortal()
  const search = (q: string, as = ALICE) => portal.call(as, 'GET', `/addresses/?q=${encodeURIComponent(q)}`)
  const { status, body } = await search('Ellauri 350')
  expect(status).toBe(200)
  expect(body[0]).toMatchObject({ label: expect.stringContaining('Ellauri'), lat: expect.any(Number), lng: expect.any(Number) })
  expect((await search('a calle')).body.length).toBeLessThanOrEqual(5)
  expect((await search('el')).status).toBe(400)
  expect((await search('Ellauri', 'support@example.com')).status).toBe(403)
})

test('a point gets the address nearest to it, or none in the sea', async () => {
  await using portal = await startPortal()
  const nearest = async (lat: number, lng: number) => (await portal.call(ALICE, 'GET', `/addresses/nearest/?lat=${lat}&lng=${lng}`)).body
  expect((await nearest(-34.9099, -56.1497)).label).toMatch(/\d/)
  expect(await nearest(-36, -50)).toEqual({ label: null })
})

test('an account may look up sixty addresses a minute by the clock of its world', async () => {
  await using portal = await startPortal()
  const ask = (n: number) => portal.call(ALICE, 'GET', `/addresses/?q=${encodeURIComponent(`street ${n}`)}`)
  for (let n = 0; n < 60; n++) expect((await ask(n)).status).toBe(200)
  expect((await ask(60)).body).toMatchObject({ code: 'throttled' })
  expect((await ask(0)).status).toBe(200)
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + 60_000) })
  expect((await ask(60)).status).toBe(200)
})
