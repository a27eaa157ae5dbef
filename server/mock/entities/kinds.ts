import * as z from 'zod/mini'
import { Language, SettingsChange } from '#contracts/accounts/users.ts'
import { Latitude, Longitude } from '#contracts/lib/common.ts'
import { CURRENCIES, PLACE_TYPES, ROLES, TRIGGERS } from '#contracts/lib/constants.ts'
import type { EntityType } from '#contracts/mock/entities.ts'
import { toFixed7 } from '#db/positions.ts'
import { users } from '#db/schema/accounts.ts'
import { tags } from '#db/schema/devices.ts'
import { alerts, contacts, places } from '#db/schema/places.ts'
import { publicLinks } from '#db/schema/sharing.ts'
import type { Kind } from './kind.ts'
import { trackers } from './trackers.ts'

export const KINDS: Record<EntityType, Kind> = {
  trackers,
  places: {
    table: places,
    key: places.id,
    values: { type: z.enum(PLACE_TYPES), lat: Latitude, lng: Longitude },
    make: ({ number, accountId, spot }) => ({
      ...{ accountId, name: `Place ${number}`, address: spot.label, type: 'other', radius: 200 },
      ...{ lat: toFixed7(spot.lat), lng: toFixed7(spot.lng) },
    }),
    traits: { small: () => ({ radius: 50 }), large: () => ({ radius: 10_000 }) },
  },
  contacts: {
    table: contacts,
    key: contacts.id,
    values: {},
    make: ({ number, accountId }) => ({ accountId, name: `Contact ${number}`, email: `contact-${number}@example.net`, phone: null }),
    traits: { with_phone: () => ({ phone: '+598 99 123 456' }) },
  },
  links: {
    table: publicLinks,
    key: publicLinks.uuid,
    values: { uuid: z.uuid() },
    make: ({ number, deviceId, uuid, at }) => ({
      ...{ uuid: uuid(), deviceId, label: `Link ${number}`, startsAt: null, endsAt: at(7) },
      ...{ isPermanent: false, showsLastPoint: false, createdAt: at(0) },
    }),
    traits: {
      expired: ({ at }) => ({ endsAt: at(-1), endToldAt: at(-1) }),
      permanent: () => ({ endsAt: new Date('2200-01-01T00:00:00Z'), isPermanent: true }),
      last_point: () => ({ showsLastPoint: true }),
    },
  },
  users: {
    table: users,
    key: users.id,
    values: {
      ...{ role: z.enum(ROLES), birthDate: z.iso.date() },
      ...{ language: Language, currency: z.enum(CURRENCIES), timeZone: SettingsChange.shape.time_zone },
    },
    make: ({ number, accountId, passwordHash, at }) => ({
      ...{ accountId, email: `user-${number}@example.com`, emailConfirmed: true, role: 'user' },
      ...{ firstName: 'User', lastName: String(number), passwordHash, createdAt: at(0) },
    }),
    traits: {
      unconfirmed: () => ({ emailConfirmed: false }),
      invited: () => ({ emailConfirmed: false, passwordHash: null }),
    },
    derive: ({ email, ...row }) => (email === undefined ? row : { username: email, ...row, email }),
  },
  alerts: {
    table: alerts,
    key: alerts.id,
    values: { trigger: z.enum(TRIGGERS) },
    make: ({ number, accountId, placeId }) =>
      placeId === null
        ? { accountId, name: `Alert ${number}`, isVehicleAlert: true }
        : { accountId, name: `Alert ${number}`, placeId, trigger: 'enter', isVehicleAlert: false },
    traits: {
      leave: () => ({ trigger: 'leave' }),
      vehicle: () => ({ placeId: null, trigger: null, isVehicleAlert: true }),
    },
  },
  tags: {
    table: tags,
    key: tags.id,
    values: {},
    make: ({ number, accountId }) => ({ accountId, name: `Tag ${number}`, color: '#1f6fb2' }),
    traits: {},
    derive: (row) => (typeof row.name === 'string' ? { key: row.name.toLowerCase(), ...row } : row),
  },
}
