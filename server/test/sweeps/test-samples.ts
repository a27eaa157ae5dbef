import type { Role } from '#contracts/lib/rights.ts'
import type { Route } from '#contracts/lib/route.ts'
import { formatReference } from '#contracts/rules/reading/text.ts'
import type { Db } from '#db/db.ts'
import { tags } from '#db/schema/devices.ts'
import { contacts } from '#db/schema/places.ts'
import { getPersona, PRO_ACCOUNT_ID } from '#server/mock/seed/records/personas.ts'
import { SEED_FACTOR } from '#server/mock/seed/records/second-factor.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { API_TOKEN, LINKS, PHONE_SESSION, SEED_CHANNEL, sha256 } from '#server/mock/seed/records/seed-secrets.ts'
import { ANCHOR } from '#server/test/test-files.ts'

type Id = number | string

/** Ids of one kind of object: per role one in its scope (null if none is seeded) and some out of it, and an unknown id. */
type Sample = { own: Record<Role, Id | null>; foreign: Record<Role, readonly Id[]>; unknown: Id }

const { home, zoeHome, proDepot } = SEED.places
const { rex, coldBox, george, proVan, proDog } = SEED.devices
const STRANGER = 9001
export const NOBODY = 987_654_321
const NONE = { user: [], pro: [], admin: [], deepsupport: [] }

const device: Sample = {
  own: { user: rex, pro: proVan, admin: proDog, deepsupport: george },
  foreign: { ...NONE, user: [george, proVan], pro: [rex, proDog], admin: [rex] },
  unknown: NOBODY,
}

/** Only alice has objects of this kind. */
const ownedByAlice = (id: Id, unknown: Id = NOBODY): Sample => ({
  own: { user: id, pro: null, admin: null, deepsupport: id },
  foreign: { ...NONE, pro: [id], admin: [id] },
  unknown,
})

/** Objects of this kind exist only after an example has created one. */
const createdByExample = (unknown: Id): Sample => ({
  own: { user: null, pro: null, admin: null, deepsupport: null },
  foreign: NONE,
  unknown,
})

const SAMPLES: Record<string, Sample> = {
  '/devices/:id': device,
  '/devices/:deviceid': device,
  // Only a tracker with a configurable board has this configuration.
  '/devices/:id/tracker_config/mode_param2/': { ...device, own: { user: coldBox, pro: null, admin: null, deepsupport: coldBox } },
  '/tracker_public_share_links/:uuid': {
    own: { user: LINKS.empty, pro: null, admin: null, deepsupport: null },
    foreign: { ...NONE, user: [LINKS.zoeDay], pro: [LINKS.empty], admin: [LINKS.empty] },
    unknown: LINKS.unknown,
  },
  // The key itself is created by the example, for a tracker of its own.
  '/devices/:id/keys/:key/': { ...device, own: { user: null, pro: null, admin: null, deepsupport: null } },
  // The example creates an import for another tracker.
  '/devices/:id/imports/:import/': { ...device, own: { user: null, pro: null, admin: null, deepsupport: null } },
  '/devices/:id/imports/:import/commit/': { ...device, own: { user: null, pro: null, admin: null, deepsupport: null } },
  '/devices/network_keys/:key': { own: { user: null, pro: null, admin: null, deepsupport: null }, foreign: NONE, unknown: NOBODY },
  '/devices/:id/theft_report/': { ...device, own: { user: SEED.devices.stolenScooter, pro: null, admin: null, deepsupport: null } },
  // A team member sees all places of the account, each with only the trackers of the team list.
  '/tracker_places/:id': {
    own: { user: home, pro: proDepot, admin: proDepot, deepsupport: zoeHome },
    foreign: { ...NONE, user: [zoeHome], pro: [home], admin: [home] },
    unknown: NOBODY,
  },
  '/tracker_alerts/:id': ownedByAlice(SEED.alerts.enterHome),
  '/alert_silences/:id': createdByExample(NOBODY),
  '/alert_firings/:id': ownedByAlice(1),
  '/tracker_contacts/:id/ask_again/': ownedByAlice(SEED.contacts.dave),
  '/tracker_contacts/:id': ownedByAlice(SEED.contacts.bob),
  '/tracker_tags/:id': ownedByAlice(SEED.tags.pets),
  '/users/sessions/:session/': {
    own: { user: sha256(PHONE_SESSION).slice(0, 16), pro: null, admin: null, deepsupport: null },
    foreign: { ...NONE, pro: [sha256(PHONE_SESSION).slice(0, 16)], deepsupport: [sha256(PHONE_SESSION).slice(0, 16)] },
    unknown: '0000000000000000',
  },
  // A user sees only their own.
  '/users/channels/:id': {
    own: { user: null, pro: null, admin: null, deepsupport: null },
    foreign: { user: [SEED_CHANNEL.id], pro: [SEED_CHANNEL.id], admin: [SEED_CHANNEL.id], deepsupport: [SEED_CHANNEL.id] },
    unknown: NOBODY,
  },
  '/users/tokens/:id': {
    own: { user: sha256(API_TOKEN).slice(0, 16), pro: null, admin: null, deepsupport: null },
    foreign: { ...NONE, admin: [sha256(API_TOKEN).slice(0, 16)] },
    unknown: '0000000000000000',
  },
  // The passkey of the example belongs to a persona that is no role's sample.
  '/users/passkeys/:id': {
    own: { user: null, pro: null, admin: null, deepsupport: null },
    foreign: { user: [SEED_FACTOR.passkey], pro: [SEED_FACTOR.passkey], admin: [SEED_FACTOR.passkey], deepsupport: [SEED_FACTOR.passkey] },
    unknown: NOBODY,
  },
  '/users/export/:id': { ...ownedByAlice(1), foreign: { ...NONE, pro: [1], admin: [1] } },
  '/users/plan_pauses/:tracker': { ...ownedByAlice(rex), foreign: { ...NONE, user: [george], admin: [rex] } },
  // The request itself is created by the example.
  '/users/plan_pauses/requests/:reference': createdByExample(formatReference(NOBODY)),
  '/users/plan_moves/requests/:reference': createdByExample(formatReference(NOBODY)),
  '/users/team/:id': {
    own: { user: null, pro: null, admin: SEED.users.withoutDevices, deepsupport: null },
    foreign: { ...NONE, admin: [getPersona('alice').id] },
    unknown: NOBODY,
  },
  '/users/orders/:reference': ownedByAlice(SEED.orders.delivered, 'ORD-9999'),
  '/users/invoices/:id': {
    ...ownedByAlice(SEED.invoices.aliceFirst),
    foreign: { ...NONE, user: [SEED.invoices.brunoFailed], admin: [SEED.invoices.aliceFirst] },
  },
  '/users/subscriptions/:id': {
    ...ownedByAlice(rex),
    foreign: { ...NONE, user: [SEED.devices.harukaDog], admin: [rex] },
  },
  '/users/payment_methods/:id': {
    ...ownedByAlice(SEED.cards.mastercard, 'pm_nobody'),
    foreign: { ...NONE, user: [SEED.cards.brunoExpired], admin: [SEED.cards.visa] },
  },
}

/** Name of the path parameter with the object's id; null without one. */
export const idParameter = ({ path }: Route) => /:(\w+)/.exec(path)?.[1] ?? null

/** Null for a kind of object without samples. */
export function findSample({ path }: Route): Sample | null {
  const kind = /^.*?:\w+/.exec(path)?.[0] ?? ''
  return SAMPLES[path] ?? SAMPLES[kind] ?? null
}

/** The id of a position of a tracker at the anchor. */
const positionOf = (deviceId: number) => deviceId * 2 ** 32 + ANCHOR.getTime() / 1000

/** Fields of request bodies that contain ids: per caller an id of another account. */
export const FOREIGN_IN_BODY: Record<string, { user: number; admin: number }> = {
  device: { user: george, admin: rex },
  devices: { user: proVan, admin: rex },
  from: { user: george, admin: rex },
  tracker: { user: george, admin: rex },
  to: { user: george, admin: rex },
  place: { user: zoeHome, admin: home },
  destination: { user: zoeHome, admin: home },
  contacts: { user: STRANGER, admin: SEED.contacts.bob },
  tag: { user: STRANGER, admin: SEED.tags.pets },
  positions: { user: positionOf(george), admin: positionOf(rex) },
}

/** Integer fields of request bodies that are not ids. */
export const PLAIN_NUMBERS = [
  'mode',
  'duration_minutes',
  'frequency',
  'keepalive_period',
  'temp_uplink_slices_duration',
  'temp_slice_duration',
  'precision',
  'days',
  'hours',
  'radius',
  'threshold',
  'publicKeyAlgorithm',
  'width',
  'below',
  'meters',
  'minutes',
  'over',
  'seconds',
  'pause',
  // A mark in the order of all alerts, which may lie between those of the account.
  'up_to',
]

/** Inserts a contact and a tag of the pro account, which the seeds lack. */
export const insertStrangers = (db: Db) =>
  db.write('everything', async (tx) => {
    await tx.insert(contacts).values({ id: STRANGER, accountId: PRO_ACCOUNT_ID, name: 'Stranger', email: 'stranger@example.net' })
    await tx.insert(tags).values({ id: STRANGER, accountId: PRO_ACCOUNT_ID, name: 'Stranger', key: 'stranger', color: '#000000' })
  })
