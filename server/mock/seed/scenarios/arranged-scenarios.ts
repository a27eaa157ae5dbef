import { eq, inArray } from 'drizzle-orm'
import type { FiringKind } from '#contracts/firings.ts'
import type { Shape, ShapePoint } from '#contracts/rules/geo/shape.ts'
import type { Tx } from '#db/db.ts'
import { toFixed7 } from '#db/positions.ts'
import { users } from '#db/schema/accounts.ts'
import { paymentMethods, subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { channelDevices, channels } from '#db/schema/messages.ts'
import {
  alertContacts,
  alertDevices,
  alertFirings,
  alertSilenceDevices,
  alertSilences,
  alerts,
  type NoticeLine,
  places,
} from '#db/schema/places.ts'
import { publicLinks, theftReports } from '#db/schema/sharing.ts'
import { startRules } from '#server/alerts/due-alerts.ts'
import { secretOwner } from '#server/channels/deliver.ts'
import { seal } from '#server/lib/secrets.ts'
import type { Moments } from '#server/mock/seed/records/moments.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { DEVELOPMENT_KEY } from '#server/mock/seed/records/second-factor.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { LINKS, SEED_WEBHOOK_SECRET, sha256 } from '#server/mock/seed/records/seed-secrets.ts'
import { createSpotLookup } from '#server/mock/seed/records/spots.ts'
import { toColumns } from '#server/places/borders.ts'
import type { Scenario } from './scenario.ts'

const { companyVan, familyCar, grandpa, misty, rex, trailer } = SEED.devices

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

/** A park around Rex's home, whose alert fires when he leaves it, and the way along the street on which he is walked. */
async function drawShapes(tx: Tx, accountId: number, { lat, lng, label }: { lat: number; lng: number; label: string }) {
  const at = (north: number, east: number): ShapePoint => [Number((lat + north).toFixed(6)), Number((lng + east).toFixed(6))]
  const park: Shape = { type: 'polygon', points: [at(-0.003, -0.004), at(-0.002, 0.003), at(0.002, 0.005), at(0.004, -0.001)] }
  const way: Shape = { type: 'corridor', points: [at(0, 0), at(0.001, 0.004), at(0.003, 0.009), at(0.002, 0.015)], width: 75 }
  const common = { accountId, address: label, type: 'other' as const }
  const rows = [
    { ...common, id: SEED_SHAPES.park, name: 'Park', ...toColumns(park) },
    { ...common, id: SEED_SHAPES.way, name: 'Morning walk', ...toColumns(way) },
  ]
  await tx.insert(places).values(rows)
  await tx.insert(alerts).values({ id: SEED_SHAPES.alert, accountId, name: 'Out of the park', placeId: SEED_SHAPES.park, trigger: 'leave' })
  await tx.insert(alertDevices).values({ alertId: SEED_SHAPES.alert, deviceId: rex, crossing: { inside: true, leaning: null } })
  await tx.insert(alertContacts).values({ alertId: SEED_SHAPES.alert, contactId: SEED.contacts.bob })
}

const SEED_SHAPES = { park: 801, way: 802, alert: 801 } as const

export const alarms: Scenario = {
  title:
    'Alerts by every way: a webhook, a chat of Telegram, a topic of ntfy, one that was stopped, one without its code, one for some alerts of one tracker; quiet hours on work nights and weekends; a bike whose alerts are muted; of its fired alerts one is unread, one did not reach a chat, one was a false alarm; a park and a way; an alert about two trackers that meet at noon, one about a tracker that is not where it usually is, and two others with rules',
  covers: ['2', '4', '5'],
  routes: ['/places', '/places/:id', '/alerts', '/alerts/new', '/alerts/:id', '/alerts/fired', '/account/preferences', '/contacts'],
  cast: ['alice', 'chloe'],
  async arrange({ tx, at, city }) {
    const { id: userId, accountId } = getPersona('alice')
    await drawShapes(tx, accountId, createSpotLookup(city)('home'))
    const [createdAt, stoppedAt] = [at({ days: -30 }), at({ days: -3 })]
    const sealed = (secret: string) => seal(secret, { key: DEVELOPMENT_KEY, owner: secretOwner(userId), iv: sha256(secret).slice(0, 24) })
    const common = { userId, createdAt, verifiedAt: createdAt }
    const telegram = sealed('4711:AAHseededseededseededseededseeded')
    const quietSpans = [
      { days: [1, 2, 3, 4, 5], from: '23:00', to: '05:30' },
      { days: [6, 7], from: '00:00', to: '08:00' },
    ]
    await tx.update(users).set({ quietSpans }).where(eq(users.id, userId))
    const toFamily = { isForAllDevices: false, kinds: ['place_enter', 'place_leave'] satisfies FiringKind[] }
    const made = await tx
      .insert(channels)
      .values([
        {
          ...common,
          kind: 'webhook',
          label: 'Home Assistant',
          target: 'https://hooks.example.com/alarms',
          secret: sealed(SEED_WEBHOOK_SECRET),
        },
        { ...common, kind: 'telegram', label: 'Family', target: '-10047114711', secret: telegram, ...toFamily },
        { ...common, kind: 'ntfy', label: 'My phone', target: 'https://ntfy.example.com/alice-4711' },
        { ...common, kind: 'ntfy', label: 'Old phone', target: 'https://ntfy.example.com/alice-0815', stoppedAt, stopReason: 'failing' },
      ])
      .returning({ id: channels.id, kind: channels.kind })
    const family = made.find(({ kind }) => kind === 'telegram')!.id
    await tx.insert(channelDevices).values({ channelId: family, deviceId: rex })
    const silence = { accountId, isForAllDevices: false, createdAt: at({ hours: -2 }), until: at({ days: 2 }), note: 'In the repair shop' }
    const [{ id: silenceId } = { id: 0 }] = await tx.insert(alertSilences).values(silence).returning()
    await tx.insert(alertSilenceDevices).values({ silenceId, deviceId: SEED.devices.cityBike })
    await tx.insert(alertFirings).values(await firedAlarms(tx, at, userId))
    const [silent, late, pair, unusual] = [1, 2, 3, 4].map((nth) => SEED.alerts.leaveCabin + nth) as [number, number, number, number]
    const schedule = { days: [1, 2, 3, 4, 5], from: '00:00', to: '00:00' }
    await tx.insert(alerts).values([
      { id: silent, accountId, name: 'No news', rule: { kind: 'silent' }, pause: 60 },
      { id: late, accountId, name: 'Late home', placeId: SEED.places.home, rule: { kind: 'not_arrived', by: '20:00' }, schedule },
      { id: pair, accountId, name: 'Trailer found', rule: { kind: 'together', meters: 200 } },
      { id: unusual, accountId, name: 'Grandpa elsewhere', rule: { kind: 'unusual' } },
    ])
    const watched = [
      [silent, [rex, misty]],
      [late, [rex]],
      [pair, [trailer, companyVan]],
      [unusual, [grandpa]],
    ] as const
    for (const [alertId, deviceIds] of watched) {
      await tx.insert(alertDevices).values(deviceIds.map((deviceId) => ({ alertId, deviceId })))
      await tx.insert(alertContacts).values({ alertId, contactId: SEED.contacts.bob })
      await startRules(tx, alertId, [...deviceIds], at())
    }
  },
}

/** Oldest first: a false alarm and one that a chat refused, both of yesterday and seen, and an unread one of this morning. */
async function firedAlarms(tx: Tx, at: Moments, userId: number): Promise<(typeof alertFirings.$inferInsert)[]> {
  const [home] = await tx.select().from(places).where(eq(places.id, SEED.places.home))
  const fired = (hours: number, metres: number) => ({
    accountId: getPersona('alice').accountId,
    deviceId: rex,
    at: at({ hours }),
    aboutId: home!.id,
    about: home!.name,
    mails: 1,
    lat: home!.lat + toFixed7(metres / METRES_PER_DEGREE),
    lng: home!.lng,
    precision: 18,
    address: home!.address,
  })
  const mail: NoticeLine = { way: 'email', to: 'bob@example.net', state: 'sent' }
  const lines = (hours: number, ...more: NoticeLine[]) => [mail, ...more].map((line) => ({ ...line, at: at({ hours }).getTime() }))
  const [published, seen] = [at({ hours: -1 }), at({ hours: -20 })]
  const refused: NoticeLine = { way: 'telegram', to: 'Family', user: userId, state: 'failed', reason: 'status', status: 403 }
  const silent: NoticeLine = { way: 'ntfy', to: 'My phone', user: userId, state: 'delivered' }
  return [
    { ...fired(-21, 205), kind: 'place_leave', notices: lines(-21, silent), falseAlarmAt: seen },
    { ...fired(-20, 190), kind: 'place_enter', notices: lines(-20, silent, refused) },
    { ...fired(-1, 260), kind: 'place_leave', notices: lines(-1, silent), publishedAt: published },
  ]
}

const METRES_PER_DEGREE = 111_195

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
