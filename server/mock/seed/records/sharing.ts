import { PERMANENT_END_DATE } from '#contracts/lib/constants.ts'
import type { publicLinks } from '#db/schema/sharing.ts'
import type { Moments } from './moments.ts'
import { SEED } from './seed-ids.ts'
import { LINKS } from './seed-keys.ts'

const { cityBike, rex, zoeCat, zoeBike } = SEED.devices
const PERMANENT = new Date(PERMANENT_END_DATE)

/** One link of every kind: ended, permanent, last point only, ending just before and just after the end of 2100. */
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
    link(LINKS.zoeDay, zoeCat, 'Granne', -1, at({ days: -1 }), at({ days: 1 })),
    link(LINKS.zoePermanent, zoeBike, 'Familjen', -3, at({ days: -3 }), PERMANENT),
  ]
}
