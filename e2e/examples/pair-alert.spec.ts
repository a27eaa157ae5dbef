import { expect, test } from '#e2e/portal.ts'

test('an alert fires when two trackers part, and one when a tracker is not where it usually is', async ({ world }) => {
  const [rex, misty] = [1, 2]
  const alerts = world.api('alice').alerts
  await alerts.create({ body: { devices: [rex, misty], contacts: [1], rule: { kind: 'apart', meters: 500 } } })
  // Learns from the weeks of positions that the tracker has in the scenario.
  await world.sim.learn({ params: { id: rex } })
  await alerts.create({ body: { devices: [rex], contacts: [1], rule: { kind: 'unusual' } } })
  await world.sim.drive({ params: { id: rex }, body: { route: ['Zelmar Michelini 1326'] } })
  await world.clock.advance('PT30M')
  const apart = await world.firings.wait({ body: { kind: 'apart', device: misty } })
  expect(apart.distance).toBeGreaterThan(500)
  const { rule } = await world.firings.wait({ body: { kind: 'unusual', device: rex } })
  expect(rule).toEqual({ kind: 'unusual', meters: expect.any(Number) })
})
