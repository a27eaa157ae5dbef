import { test } from '#e2e/portal.ts'

test('a gateway made by the clerk gets a key', async ({ world }) => {
  const clerk = await world.operator('clerk')
  await clerk.gateways.make({ body: { label: 'North' } })
  await world.deeds.wait({ body: { kind: 'gateway_made', subject: 'North' } })
})
