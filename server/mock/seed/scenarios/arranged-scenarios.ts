import { eq, inArray } from 'drizzle-orm'
import { paymentMethods, subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { channels } from '#db/schema/messages.ts'
import { publicLinks, theftReports } from '#db/schema/sharing.ts'
import { secretOwner } from '#server/channels/deliver.ts'
import { seal } from '#server/lib/secrets.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { DEVELOPMENT_KEY } from '#server/mock/seed/records/second-factor.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { LINKS, SEED_WEBHOOK_SECRET, sha256 } from '#server/mock/seed/records/seed-secrets.ts'
import type { Scenario } from './scenario.ts'

const { familyCar, rex, misty } = SEED.devices

export const theft: Scenario = {
  title: 'A stolen scooter that is followed, a car that came back, a cat on the run',
  covers: ['2', '4', '8'],
  routes: ['/trackers/:id', '/trackers/:id/history', '/app/theft_file'],
  cast: ['alice', 'support'],
  trackers: ['stolenScooter', 'familyCar', 'runawayCat'],
  async arrange({ tx, at }) {
    await tx.insert(theftReports).values({
      id: SEED.theftReport + 1,
      deviceId: SEED.devices.familyCar,
      date: at({ days: -90 }),
      address: 'Zelmar Michelini 1326',
      description: 'Gone from the garage overnight; found two streets further.',
      policeReference: 'MVD-1874',
      status: 'closed',
      createdAt: at({ days: -90 }),
      closedAt: at({ days: -88 }),
    })
  },
}

export const sct2: Scenario = {
  title: 'Configurable boards: one that is set, one that never was, and a tracker without',
  covers: ['5', '9'],
  routes: ['/config_sct2', '/trackers/:id/settings'],
  cast: ['alice'],
  trackers: ['coldBox', 'hiker', 'rex'],
  arrange: async ({ tx }) => void (await tx.update(devices).set({ boardName: 'SCT2-02' }).where(eq(devices.id, SEED.devices.hiker))),
}

export const alarms: Scenario = {
  title: 'Alerts by every way: a webhook, a chat of Telegram, a topic of ntfy, one that was stopped, one without its code',
  covers: ['2', '4', '5'],
  routes: ['/alerts', '/alerts/new', '/alerts/:id', '/alerts/fired', '/account/preferences', '/contacts'],
  cast: ['alice', 'chloe'],
  async arrange({ tx, at }) {
    const userId = getPersona('alice').id
    const [createdAt, stoppedAt] = [at({ days: -30 }), at({ days: -3 })]
    const sealed = (secret: string) => seal(secret, { key: DEVELOPMENT_KEY, owner: secretOwner(userId), iv: sha256(secret).slice(0, 24) })
    const common = { userId, createdAt, verifiedAt: createdAt }
    const telegram = sealed('4711:AAHseededseededseededseededseeded')
    await tx.insert(channels).values([
      {
        ...common,
        kind: 'webhook',
        label: 'Home Assistant',
        target: 'https://hooks.example.com/alarms',
        secret: sealed(SEED_WEBHOOK_SECRET),
      },
      { ...common, kind: 'telegram', label: 'Family', target: '-10047114711', secret: telegram },
      { ...common, kind: 'ntfy', label: 'My phone', target: 'https://ntfy.example.com/alice-4711' },
      { ...common, kind: 'ntfy', label: 'Old phone', target: 'https://ntfy.example.com/alice-0815', stoppedAt, stopReason: 'failing' },
    ])
  },
}

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
      .set({ accountId: getPersona('bruno').accountId, tagId: null })
      .where(inArray(devices.id, [familyCar, rex]))
    await tx.update(devices).set({ subEndDate: end }).where(eq(devices.id, familyCar))
    await tx.update(subscriptions).set({ renewsAt: end, endsAt: end }).where(eq(subscriptions.deviceId, familyCar))
  },
}

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
