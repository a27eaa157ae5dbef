import { eq, inArray } from 'drizzle-orm'
import type { Tx } from '#db/db.ts'
import { throttles } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { publicLinks } from '#db/schema/sharing.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { LINKS } from '#server/mock/seed/records/seed-secrets.ts'

const { misty, kitchen, harukaDog, harukaBike, zoeCat } = SEED.devices
const LONG_AGO = new Date('2020-01-01T00:00:00Z')

/** Makes one item of every job overdue in seeded data; `expected` is the one-time effect of each. */
export const due = {
  async plant(tx: Tx) {
    for (const id of [misty, harukaDog]) await tx.update(devices).set({ subEndDate: LONG_AGO }).where(eq(devices.id, id))
    for (const id of [kitchen, harukaBike]) await tx.update(devices).set({ lastMessageAt: LONG_AGO }).where(eq(devices.id, id))
    await tx.update(devices).set({ boostUntil: LONG_AGO }).where(eq(devices.id, zoeCat))
    await tx
      .update(publicLinks)
      .set({ endsAt: LONG_AGO })
      .where(inArray(publicLinks.uuid, [LINKS.zoeDay, LINKS.empty]))
    await tx.insert(throttles).values({ key: 'old', count: 1, resetsAt: LONG_AGO })
  },
  expected: {
    mails: [
      'alice@example.com network_lost Kitchen',
      'alice@example.com subscription_ended Misty',
      'haruka@example.com network_lost 自転車',
      'haruka@example.com subscription_ended ポチ',
    ],
    events: ['mode 1', 'network 2', 'status 4'],
    pieces: 8,
  },
}
