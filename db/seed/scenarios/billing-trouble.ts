import { eq, inArray } from 'drizzle-orm'
import { persona } from '#db/seed/personas.ts'
import { SEED } from '#db/seed/seed-ids.ts'
import { subscriptions } from '#db/tables/commerce.ts'
import { devices } from '#db/tables/devices.ts'
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
