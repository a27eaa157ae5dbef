import { eq, inArray } from 'drizzle-orm'
import { paymentMethods, subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { publicLinks } from '#db/schema/sharing.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { LINKS } from '#server/mock/seed/records/seed-keys.ts'
import type { Scenario } from './scene.ts'

const { rex, misty } = SEED.devices

export const expiring: Scenario = {
  title: 'Tomorrow a subscription ends, another renews itself, a public link ends, and the card is in its last month',
  covers: ['4', '9'],
  routes: ['/subscriptionSelector', '/subscription', '/public_links', '/payment_methods'],
  cast: ['alice'],
  trackers: ['rex', 'misty', 'cityBike', 'newTracker', 'spareTracker', 'oldTracker', 'companyVan', 'puppy', 'kitchen'],
  async arrange({ tx, at }) {
    const tomorrow = at({ days: 1 })
    const now = at()
    await tx
      .update(devices)
      .set({ subEndDate: tomorrow })
      .where(inArray(devices.id, [rex, misty]))
    await tx
      .update(subscriptions)
      .set({ endsAt: tomorrow })
      .where(inArray(subscriptions.deviceId, [rex, misty]))
    await tx.update(subscriptions).set({ renewsAt: tomorrow }).where(eq(subscriptions.deviceId, rex))
    await tx.update(publicLinks).set({ endsAt: tomorrow }).where(eq(publicLinks.uuid, LINKS.fromBeginning))
    await tx
      .update(paymentMethods)
      .set({ expMonth: now.getUTCMonth() + 1, expYear: now.getUTCFullYear() })
      .where(eq(paymentMethods.id, SEED.cards.visa))
  },
}
