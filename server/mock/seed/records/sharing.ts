import { PERMANENT_END_DATE } from '#contracts/rules/link.ts'
import type { deviceKeys } from '#db/schema/devices.ts'
import type { emails } from '#db/schema/messages.ts'
import type { linkDevices, publicLinks, theftReports } from '#db/schema/sharing.ts'
import type { Moments } from './moments.ts'
import { getPersona } from './personas.ts'
import { SEED } from './seed-ids.ts'
import { CODES, DEVICE_KEY, LINKS, sha256 } from './seed-secrets.ts'
import type { Spots } from './spots.ts'

const { cityBike, rex, companyVan, zoeCat, zoeBike, proVan, proTruck, proCourier } = SEED.devices
const PERMANENT = new Date(PERMANENT_END_DATE)

/** One link of every kind: ended, permanent, last point only, ending just before and just after the end of 2100, with a destination, to several trackers. */
export function linkRows(at: Moments): (typeof publicLinks.$inferInsert)[] {
  const link = (
    uuid: string,
    deviceId: number,
    label: string,
    days: number,
    startsAt: Date | null,
    endsAt: Date,
    showsLastPoint = false,
  ) => ({
    uuid,
    deviceId,
    label,
    startsAt,
    endsAt,
    isPermanent: endsAt === PERMANENT,
    showsLastPoint,
    createdAt: at({ days }),
    endToldAt: endsAt <= at() ? endsAt : null,
  })
  return [
    link(LINKS.fromBeginning, cityBike, 'For the cycling club', -1, null, at({ days: 7 })),
    link(LINKS.expired, cityBike, 'Weekend tour', -8, at({ days: -8 }), at({ days: -1 })),
    link(LINKS.permanent, cityBike, 'Family', -25, at({ days: -25 }), PERMANENT),
    link(LINKS.lastPoint, cityBike, 'Where is my bike', -20, at({ days: -20 }), new Date('2100-12-31T23:59:59Z'), true),
    link(LINKS.after2100, cityBike, 'For the grandchildren', -15, at({ days: -15 }), new Date('2101-01-01T00:00:00Z')),
    link(LINKS.empty, rex, 'Dog sitter', -2, at({ days: 1 }), at({ days: 8 })),
    {
      ...link(LINKS.onTheWay, companyVan, 'On my way home', -1, at({ days: -1 }), PERMANENT),
      ...{ destinationId: SEED.places.home, sharedBy: 'Alice', phone: '+598 99 555 010', note: 'Call me if I am late.' },
    },
    link(LINKS.zoeDay, zoeCat, 'Granne', -1, at({ days: -1 }), at({ days: 1 })),
    link(LINKS.zoePermanent, zoeBike, 'Familjen', -3, at({ days: -3 }), PERMANENT),
    { ...link(LINKS.proRound, proVan, 'Delivery round', -5, at({ days: -1 }), PERMANENT), createdBy: getPersona('admin').id },
  ]
}

export const linkDeviceRows: (typeof linkDevices.$inferInsert)[] = [proTruck, proCourier].map((deviceId) => ({
  linkUuid: LINKS.proRound,
  deviceId,
}))

export const deviceKeyRows: (typeof deviceKeys.$inferInsert)[] = [{ hash: sha256(DEVICE_KEY), label: 'Demo gateway' }]

export const theftRows = (at: Moments, spots: Spots): (typeof theftReports.$inferInsert)[] => [
  {
    id: SEED.theftReport,
    deviceId: SEED.devices.stolenScooter,
    date: at({ hours: -22 }),
    address: spots('blanqueada').label,
    description: 'Taken from the pavement in front of the house, the chain was cut.',
    policeReference: 'MVD-2291',
    status: 'open',
    createdAt: at({ hours: -20 }),
    closedAt: null,
  },
]

export const emailRows = (at: Moments): (typeof emails.$inferInsert)[] => [
  {
    id: 1,
    to: getPersona('alice').email,
    template: 'subscription_code',
    language: getPersona('alice').language,
    data: { code: CODES.valid, months: '12', extra: '1' },
    createdAt: at({ hours: -1 }),
    sentAt: at({ hours: -1 }),
    attempts: 1,
    nextAttemptAt: null,
  },
]
