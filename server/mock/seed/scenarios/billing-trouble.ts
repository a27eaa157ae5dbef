import { eq, inArray } from 'drizzle-orm'
import { subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { persona } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { Scenario } from './scene.ts'

const { familyCar, rex } = SEED.devices

export const billingTrouble: Scenario = {
  title: 'An invoice that was not paid, a card that has expired, and a renewal in two days that will fail',
  covers: ['2', '4', '8'],
  routes: ['/invoices', '/payment_methods', '/subscriptionSelector', '/subscription', '/orders'],
  cast: ['bruno', 'usha', 'erika', 'george'],
  trackers: ['familyCar', 'rex', 'usha', 'erika', 'george'],
  async arrange({ tx, at }) {
    const end = at({ days: 2 })
    await tx
      .update(devices)
      .set({ accountId: persona('bruno').accountId, tagId: null })
      .where(inArray(devices.id, [familyCar, rex]))
    await tx.update(devices).set({ subEndDate: end }).where(eq(devices.id, familyCar))
    await tx.update(subscriptions).set({ renewsAt: end, endsAt: end }).where(eq(subscriptions.deviceId, familyCar))
  },
}
