import type { Role } from '#contracts/constants.ts'
import type { Route } from '#contracts/lib/route.ts'
import type { Db } from '#db/open.ts'
import { PRO_ACCOUNT, persona } from '#db/seed/personas.ts'
import { SEED } from '#db/seed/seed-ids.ts'
import { LINKS } from '#db/seed/seed-keys.ts'
import { tags } from '#db/tables/devices.ts'
import { contacts } from '#db/tables/places.ts'

type Id = number | string

/** Of one kind of object: one that each role may ask for (null where none is seeded), those that are not its own, and nobody's. */
type Sample = { own: Record<Role, Id | null>; foreign: Record<Role, readonly Id[]>; unknown: Id }

const { rex, coldBox, george, proVan, proDog } = SEED.devices
const { enterHome } = SEED.alerts
const { home, proDepot } = SEED.places
const STRANGER = 9001
export const NOBODY = 987_654_321
const NONE = { user: [], pro: [], admin: [], deepsupport: [] }

const device: Sample = {
  own: { user: rex, pro: proVan, admin: proDog, deepsupport: george },
  foreign: { ...NONE, user: [george, proVan], pro: [rex, proDog], admin: [rex] },
  unknown: NOBODY,
}

const SAMPLES: Record<string, Sample> = {
  '/users/team/:id': {
    own: { user: null, pro: null, admin: SEED.users.invited, deepsupport: null },
    foreign: { ...NONE, admin: [persona('alice').id] },
    unknown: NOBODY,
  },
  '/devices/:id': device,
  '/devices/:deviceid': device,
  // Only a tracker with a configurable board has these.
  '/devices/:id/tracker_config/mode_param2/': { ...device, own: { user: coldBox, pro: null, admin: null, deepsupport: coldBox } },
  // No key of a tracker is seeded.
  '/devices/:id/keys/:key/': { ...device, own: { user: null, pro: null, admin: null, deepsupport: null } },
  '/tracker_alerts/:id': {
    own: { user: enterHome, pro: null, admin: null, deepsupport: enterHome },
    foreign: { ...NONE, pro: [enterHome], admin: [enterHome] },
    unknown: NOBODY,
  },
  '/tracker_places/:id': {
    own: { user: home, pro: proDepot, admin: proDepot, deepsupport: home },
    foreign: { ...NONE, user: [proDepot], pro: [home], admin: [home] },
    unknown: NOBODY,
  },
  '/tracker_contacts/:id': {
    own: { user: SEED.contacts.bob, pro: null, admin: null, deepsupport: null },
    foreign: { ...NONE, pro: [SEED.contacts.bob], admin: [SEED.contacts.bob] },
    unknown: NOBODY,
  },
  '/tracker_tags/:id': {
    own: { user: SEED.tags.pets, pro: null, admin: null, deepsupport: null },
    foreign: { ...NONE, pro: [SEED.tags.pets], admin: [SEED.tags.pets] },
    unknown: NOBODY,
  },
  '/users/orders/:reference': {
    own: { user: SEED.orders.shipping, pro: null, admin: null, deepsupport: SEED.orders.shipping },
    foreign: { ...NONE, pro: [SEED.orders.shipping], admin: [SEED.orders.shipping] },
    unknown: 'ORD-0000',
  },
  '/users/invoices/:id': {
    own: { user: SEED.invoices.aliceFirst, pro: null, admin: null, deepsupport: SEED.invoices.aliceFirst },
    foreign: { ...NONE, user: [SEED.invoices.brunoFailed], pro: [SEED.invoices.aliceFirst], admin: [SEED.invoices.aliceFirst] },
    unknown: NOBODY,
  },
  '/users/payment_methods/:id': {
    own: { user: SEED.cards.mastercard, pro: null, admin: null, deepsupport: null },
    foreign: { ...NONE, user: [SEED.cards.brunoExpired], pro: [SEED.cards.mastercard], admin: [SEED.cards.mastercard] },
    unknown: 'pm_nobody',
  },
  '/tracker_public_share_links/:uuid': {
    own: { user: LINKS.empty, pro: null, admin: null, deepsupport: null },
    foreign: { ...NONE, user: [LINKS.zoeDay], pro: [LINKS.empty], admin: [LINKS.empty] },
    unknown: LINKS.unknown,
  },
}

/** Whole numbers of a body that name an object, in calls of pro administrators alone: one of another account than theirs. */
export const FOREIGN_TO_ADMIN: Record<string, number> = { devices: rex }

/** The name of the parameter that says which object a path leads to; null when it leads to none. */
export const parameterOf = ({ path }: Route) => /:(\w+)/.exec(path)?.[1] ?? null

/** Throws for a kind of object that has no samples yet. */
export function sampleOf(route: Route): Sample {
  const kind = /^.*?:\w+/.exec(route.path)?.[0] ?? ''
  const sample = SAMPLES[route.path] ?? SAMPLES[kind]
  if (!sample) throw new Error(`Say in server/sweeps/test-samples.ts what each role owns at ${kind}`)
  return sample
}

/** Whole numbers of a body that name an object, by their field: one of another account than alice's. */
export const FOREIGN_IN_BODY: Record<string, number> = {
  device: george,
  devices: proVan,
  place: SEED.places.zoeHome,
  contacts: STRANGER,
  tag: STRANGER,
}

/** Whole numbers of a body that name nothing. */
export const PLAIN_NUMBERS = [
  'mode',
  'duration_minutes',
  'frequency',
  'keepalive_period',
  'temp_uplink_slices_duration',
  'temp_slice_duration',
  'precision',
  'radius',
]

/** Contact and tag of the pro team, which the seeds do not have. */
export const insertStrangers = (db: Db) =>
  db.write(async (tx) => {
    await tx.insert(contacts).values({ id: STRANGER, accountId: PRO_ACCOUNT, name: 'Stranger', email: 'stranger@example.net' })
    await tx.insert(tags).values({ id: STRANGER, accountId: PRO_ACCOUNT, name: 'Stranger', key: 'stranger', color: '#000000' })
  })
