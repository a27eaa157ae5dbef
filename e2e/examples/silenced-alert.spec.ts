import { expect, test } from '#e2e/portal.ts'

test('a silenced alert fires without sending a mail', async ({ world }) => {
  await world.silences.create({ body: { persona: 'alice', hours: 1, everyone: true } })
  await world.sim.event({ params: { id: 1 }, body: { type: 'low_battery', battery: 4 } })
  const { mails } = await world.firings.wait({ body: { kind: 'low_battery', device: 1 } })
  expect(mails).toBe(0)
})
