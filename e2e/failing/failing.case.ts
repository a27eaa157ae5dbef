import { expect, type TestWorld, test } from '#e2e/portal.ts'

const breakContract = (server: string, world: TestWorld) => fetch(`${server}/users/nobody/`, { headers: { 'x-world': world.id } })

test('a failing assertion', async ({ world }) => {
  const { email } = world.persona('alice')
  await world.api('alice').contacts.create({ body: { name: 'Seen last', email: 'seen@example.net' } })
  await world.api().sessions.requestReset({ body: { email } })
  await world.clock.advance('P1D')
  expect(await world.api('alice').contacts.list({ query: {} })).toEqual([])
})

test('a broken contract', async ({ world, server }) => {
  await breakContract(server, world)
})

test.describe('violations allowed', () => {
  test.use({ violations: 'allowed' })
  test('a broken contract that is allowed', async ({ world, server }) => {
    await breakContract(server, world)
  })
})
