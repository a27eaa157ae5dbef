import { expect, test } from '#e2e/portal.ts'

const UNKNOWN = '/users/nobody/'

test('fails', async ({ world }) => {
  const { email } = world.persona('alice')
  await world.api('alice').contacts.create({ body: { name: 'Seen last', email: 'seen@example.net' } })
  await world.api().sessions.requestReset({ body: { email } })
  await world.clock.advance('P1D')
  expect(await world.api('alice').contacts.list({ query: {} })).toEqual([])
})

test('breaks the contract', ({ world, page }) => page.request.get(UNKNOWN, { headers: { 'x-world': world.id } }))

test.describe('where it is allowed', () => {
  test.use({ violations: 'allowed' })
  test('breaks the contract as well', ({ world, page }) => page.request.get(UNKNOWN, { headers: { 'x-world': world.id } }))
})
