import * as z from 'zod/mini'
import { Language, SettingsChange } from '#contracts/accounts/users.ts'
import { AlertRule, AlertSchedule } from '#contracts/alerts.ts'
import { Latitude, Longitude } from '#contracts/lib/common.ts'
import { CURRENCIES } from '#contracts/lib/currencies.ts'
import { ROLES } from '#contracts/lib/rights.ts'
import type { EntityType } from '#contracts/mock/entities.ts'
import { PlaceShape } from '#contracts/places.ts'
import { PLACE_TYPES, TRIGGERS } from '#contracts/rules/geo/place.ts'
import { findShapeFault, tidyShape } from '#contracts/rules/geo/shape-faults.ts'
import { normalizeLogin, tagKey } from '#contracts/rules/reading/text.ts'
import { Email } from '#contracts/rules/reading/text-fields.ts'
import { INCLUDED_MONTHS, SUB_STATES } from '#contracts/rules/subscription.ts'
import { EVENT_TYPES, NETWORK_STATES } from '#contracts/rules/tracking/reporting.ts'
import { DEVICE_TYPES, KINDS, OPERATORS, usualBoard, usualOperator } from '#contracts/rules/tracking/tracker.ts'
import { toFixed7 } from '#db/positions.ts'
import { users } from '#db/schema/accounts.ts'
import { devices, stockItems, tags } from '#db/schema/devices.ts'
import { alerts, contacts, places } from '#db/schema/places.ts'
import { publicLinks } from '#db/schema/sharing.ts'
import { toColumns } from '#server/places/borders.ts'
import type { EntityKind, Row } from './entity-row.ts'

const LOW = { percent: 5, millivolts: 3200 }

const trackers: EntityKind = {
  table: devices,
  key: devices.id,
  values: {
    type: z.enum(DEVICE_TYPES),
    kind: z.enum(KINDS),
    operator: z.enum(OPERATORS),
    networkState: z.enum(NETWORK_STATES),
    subState: z.enum(SUB_STATES),
    lastEvent: z.enum(EVENT_TYPES),
    lat: Latitude,
    lng: Longitude,
  },
  make: ({ number, accountId, at, spot }) => ({
    accountId,
    type: 'tracker_01',
    name: `Tracker ${number}`,
    identifier: `95${String(number).padStart(8, '0')}`,
    serial: `MADE${String(number).padStart(8, '0')}`,
    kind: 'other',
    createdAt: at(0),
    mode: 1,
    subState: 'active',
    subEndDate: at(365),
    battery: 80,
    lat: toFixed7(spot.lat),
    lng: toFixed7(spot.lng),
    precision: 8,
    positionAt: at(0),
    address: spot.label,
    lastEvent: 'stationary',
    lastEventAt: at(0),
    lastMessageAt: at(0),
    stationarySince: at(0),
    onlineSince: at(-1),
  }),
  traits: {
    not_activated: () => ({ subState: 'not_activated', subEndDate: null }),
    without_subscription: () => ({ subState: 'none', subEndDate: null }),
    ended: ({ at }) => ({ subState: 'ended', subEndDate: at(-1) }),
    resting: ({ at }) => ({ subState: 'ended', subEndDate: at(-30), positionAt: at(-17), lastEventAt: at(-17), lastMessageAt: at(-17) }),
    never_seen: () => ({ ...NOWHERE, lastEvent: null, lastEventAt: null, lastMessageAt: null, stationarySince: null, onlineSince: null }),
    moving: ({ at }) => ({ lastEvent: 'moving', lastEventAt: at(0), stationarySince: null }),
    low_battery: ({ at }, { type }) => ({
      battery: type === 'tracker_02' ? LOW.millivolts : LOW.percent,
      lastEvent: 'low_battery',
      lastEventAt: at(0),
    }),
    unknown_battery: () => ({ battery: -1 }),
    lost: () => ({ mode: 7 }),
    pending_mode: () => ({ pendingMode: 2 }),
    silent: ({ at }) => ({ lastMessageAt: at(-91), positionAt: at(-91), networkState: 'deactivated' }),
    linked_to_pro: () => ({ isLinkedToPro: true }),
    sct2: () => ({ type: 'tracker_04', boardName: 'SCT2-01', mode: 50 }),
  },
  derive(row) {
    const type = DEVICE_TYPES.find((one) => one === row.type)
    return type ? { boardName: usualBoard(type), operator: usualOperator(type), ...row } : row
  },
}

const NOWHERE = { lat: null, lng: null, precision: null, course: null, positionAt: null, address: null }

const FaultlessShape = PlaceShape.check(
  z.refine((shape) => findShapeFault(tidyShape(shape)) === null, {
    error: 'Has too few points, crosses itself, or is too large or too narrow',
  }),
)

/** The row of a place with the circle around its shape, if it has one. */
export const encloseShapeOfPlace = (row: Row): Row => {
  const { data } = FaultlessShape.safeParse(row.shape)
  return data ? { ...row, ...toColumns(data) } : row
}

export const ENTITY_KINDS: Record<EntityType, EntityKind> = {
  trackers,
  places: {
    table: places,
    key: places.id,
    values: { type: z.enum(PLACE_TYPES), lat: Latitude, lng: Longitude, shape: z.nullable(FaultlessShape) },
    derive: encloseShapeOfPlace,
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
      // In lower case, because sign-ins are compared in lower case.
      ...{ email: Email, username: z.string().check(z.overwrite(normalizeLogin)), role: z.enum(ROLES), birthDate: z.iso.date() },
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
    values: { trigger: z.enum(TRIGGERS), rule: AlertRule, schedule: AlertSchedule },
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
    derive: (row) => (typeof row.name === 'string' ? { key: tagKey(row.name), ...row } : row),
  },
  stock: {
    table: stockItems,
    key: stockItems.identifier,
    values: {
      identifier: z.string().check(z.regex(/^\d{10}$/)),
      serial: z.string().check(z.regex(/^[A-Z0-9]{12}$/)),
      type: z.enum(DEVICE_TYPES),
    },
    make: ({ number, at }) => ({
      ...{ identifier: `97${String(number).padStart(8, '0')}`, serial: `STOCK${String(number).padStart(7, '0')}` },
      ...{ type: 'tracker_01', includedMonths: INCLUDED_MONTHS, batch: 'made', addedAt: at(0) },
    }),
    traits: {
      blocked: ({ at }) => ({ blockedAt: at(0) }),
      without_months: () => ({ includedMonths: 0 }),
    },
    derive(row) {
      const type = DEVICE_TYPES.find((one) => one === row.type)
      return type ? { boardName: usualBoard(type), ...row } : row
    },
  },
}
