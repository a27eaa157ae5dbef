import * as z from 'zod/mini'
import { Latitude, Longitude } from '#contracts/lib/common.ts'
import { DEVICE_TYPES, EVENT_TYPES, KINDS, NETWORK_STATES, OPERATORS, SUB_STATES } from '#contracts/lib/constants.ts'
import { usualBoard, usualOperator } from '#contracts/rules/tracking/tracker.ts'
import { toFixed7 } from '#db/positions.ts'
import { devices } from '#db/schema/devices.ts'
import type { Kind } from './kind.ts'

const LOW = { percent: 5, millivolts: 3200 }

export const trackers: Kind = {
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

const NOWHERE = { lat: null, lng: null, precision: null, positionAt: null, address: null }
