import type { Crossing } from '#contracts/rules/geo/place.ts'
import type { alertContacts, alertDevices, alerts, contacts } from '#db/schema/places.ts'
import { getPersona } from './personas.ts'
import { SEED } from './seed-ids.ts'

const { accountId } = getPersona('alice')
const { rex, misty, familyCar, cityBike } = SEED.devices
const { bob, carol, dave } = SEED.contacts
const INSIDE: Crossing = { inside: true, leaning: null }

export const contactRows: (typeof contacts.$inferInsert)[] = [
  { id: bob, accountId, name: 'Bob', email: 'bob@example.net', phone: '+598 99 123 456' },
  { id: carol, accountId, name: 'Carol', email: 'carol@example.net', phone: null },
  { id: dave, accountId, name: 'Dave', email: 'dave@example.net', phone: null },
]

/** Rex and Misty are at home at the anchor, so the first departure fires an alert. */
const PLANS = [
  { id: SEED.alerts.enterHome, placeId: SEED.places.home, trigger: 'enter', devices: [rex, misty], contacts: [bob] },
  { id: SEED.alerts.leaveHome, placeId: SEED.places.home, trigger: 'leave', devices: [rex], contacts: [bob, carol] },
  { id: SEED.alerts.vehicleAlert, placeId: null, trigger: null, devices: [familyCar, cityBike], contacts: [carol] },
] as const

const NAMES = ['Back home', 'Rex is off', 'Vehicles']

export const alertRows: (typeof alerts.$inferInsert)[] = PLANS.map(({ id, placeId, trigger }, index) => ({
  id,
  accountId,
  name: NAMES[index],
  placeId,
  trigger,
  isVehicleAlert: placeId === null,
}))

export const alertDeviceRows: (typeof alertDevices.$inferInsert)[] = PLANS.flatMap(({ id, placeId, devices }) =>
  devices.map((deviceId) => ({ alertId: id, deviceId, crossing: placeId === null ? null : INSIDE, firedAt: null })),
)

export const alertContactRows: (typeof alertContacts.$inferInsert)[] = PLANS.flatMap(({ id, contacts: told }) =>
  told.map((contactId) => ({ alertId: id, contactId })),
)
