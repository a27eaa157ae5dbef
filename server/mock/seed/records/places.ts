import type { Crossing, PlaceType } from '#contracts/rules/geo/place.ts'
import { toFixed7 } from '#db/positions.ts'
import type { channels } from '#db/schema/messages.ts'
import type { alertContacts, alertDevices, alertFirings, alerts, contacts, mailStops, placeDevices, places } from '#db/schema/places.ts'
import type { usualAreas } from '#db/schema/positions.ts'
import type { Moments } from './moments.ts'
import { getPersona, PRO_ACCOUNT_ID } from './personas.ts'
import { SEED } from './seed-ids.ts'
import { SEED_CHANNEL, sha256 } from './seed-secrets.ts'
import type { Spot, Spots } from './spots.ts'

const { rex, misty, grandpa, familyCar, companyVan, deliveryVan, coldBox, cityBike, harukaDog, zoeCat, proVan, proTruck } = SEED.devices

type PlacePlan = [id: number, name: string, type: PlaceType, spot: Spot, radius: number, devices: number[]]

/** Alice has one place of each type, with the smallest, the default and the largest radius. */
const ALICE: PlacePlan[] = [
  [SEED.places.home, 'Home', 'home', 'home', 200, [rex, misty, grandpa]],
  [SEED.places.school, 'School', 'school', 'school', 50, []],
  [SEED.places.office, 'Office', 'work', 'office', 200, [familyCar]],
  [SEED.places.cornerShop, 'Corner shop', 'shop', 'shop', 200, [coldBox]],
  [SEED.places.depot, 'Depot', 'warehouse', 'depot', 200, [companyVan, deliveryVan]],
  [SEED.places.cabin, 'Cabin', 'other', 'cabin', 10_000, []],
]
const HARUKA: PlacePlan[] = [[SEED.places.harukaHome, '自宅', 'home', 'buceo', 200, [harukaDog]]]
const ZOE: PlacePlan[] = [[SEED.places.zoeHome, 'Hemma', 'home', 'villaDolores', 200, [zoeCat]]]
const PRO: PlacePlan[] = [[SEED.places.proDepot, 'Fleet depot', 'warehouse', 'reducto', 200, [proVan, proTruck]]]

type PlaceRows = { places: (typeof places.$inferInsert)[]; placeDevices: (typeof placeDevices.$inferInsert)[] }

export function placeRows(spots: Spots): PlaceRows {
  const owned: [accountId: number, plans: PlacePlan[]][] = [
    [getPersona('alice').accountId, ALICE],
    [getPersona('haruka').accountId, HARUKA],
    [getPersona('zoe').accountId, ZOE],
    [PRO_ACCOUNT_ID, PRO],
  ]
  return {
    places: owned.flatMap(([accountId, plans]) =>
      plans.map(([id, name, type, spot, radius]) => {
        const { label, lat, lng } = spots(spot)
        return { id, accountId, name, address: label, type, radius, lat: toFixed7(lat), lng: toFixed7(lng) }
      }),
    ),
    placeDevices: owned.flatMap(([, plans]) =>
      plans.flatMap(([placeId, , , , , devices]) => devices.map((deviceId) => ({ placeId, deviceId }))),
    ),
  }
}

const { accountId } = getPersona('alice')
const { bob, carol, dave } = SEED.contacts
const INSIDE: Crossing = { inside: true, leaning: null }

export const contactRows: (typeof contacts.$inferInsert)[] = [
  { id: bob, accountId, name: 'Bob', email: 'bob@example.net', phone: '+598 99 123 456' },
  { id: carol, accountId, name: 'Carol', email: 'carol@example.net', phone: null },
  { id: dave, accountId, name: 'Dave', email: 'dave@example.net', phone: null },
]

/** Dave has switched alert mails off. */
export const mailStopRows = (at: Moments): (typeof mailStops.$inferInsert)[] => [
  { accountId, email: 'dave@example.net', stoppedAt: at({ days: -12 }) },
]

/** Alerts that fired in the last days. The place of one has been deleted since. */
export const firingRows = (at: Moments): (typeof alertFirings.$inferInsert)[] => {
  const atHome = { accountId, aboutId: SEED.places.home, about: 'Home' }
  return [
    { ...atHome, deviceId: rex, kind: 'place_enter', at: at({ hours: -15 }), mails: 1 },
    { ...atHome, deviceId: rex, kind: 'place_leave', at: at({ hours: -16 }), mails: 2 },
    { ...atHome, deviceId: misty, kind: 'place_enter', at: at({ days: -2, hours: -3 }), mails: 1 },
    { accountId, deviceId: familyCar, kind: 'vehicle_alert', at: at({ days: -3, hours: -1 }), mails: 1 },
    { accountId, deviceId: cityBike, kind: 'low_battery', at: at({ days: -9 }), mails: 1 },
    { accountId, aboutId: DELETED_PLACE, about: 'Summer house', deviceId: cityBike, kind: 'place_leave', at: at({ days: -40 }), mails: 0 },
    { accountId, deviceId: grandpa, kind: 'unusual', rule: { kind: 'unusual', meters: 2300 }, at: at({ days: -5, hours: -2 }), mails: 1 },
  ]
}

/** Alice lets the server learn where Grandpa usually is. */
export const usualAreaRows = (at: Moments): (typeof usualAreas.$inferInsert)[] => [{ deviceId: grandpa, isOn: true, dueAt: at() }]

const DELETED_PLACE = 999

/** Rex and Misty are at home at the anchor, so the first departure fires an alert. The last alert is switched off. */
const ALERT_PLANS = [
  { id: SEED.alerts.enterHome, placeId: SEED.places.home, trigger: 'enter', devices: [rex, misty], contacts: [bob] },
  { id: SEED.alerts.leaveHome, placeId: SEED.places.home, trigger: 'leave', devices: [rex], contacts: [bob, carol] },
  { id: SEED.alerts.vehicleAlert, placeId: null, trigger: null, devices: [familyCar, cityBike], contacts: [carol] },
  { id: SEED.alerts.leaveCabin, placeId: SEED.places.cabin, trigger: 'leave', devices: [cityBike], contacts: [bob, carol] },
] as const

const ALERT_NAMES = ['Back home', 'Rex is off', 'Vehicles', 'Bike at the cabin']

export const alertRows = (at: Moments): (typeof alerts.$inferInsert)[] =>
  ALERT_PLANS.map(({ id, placeId, trigger }, index) => ({
    id,
    accountId,
    name: ALERT_NAMES[index],
    placeId,
    trigger,
    isVehicleAlert: placeId === null,
    offSince: id === SEED.alerts.leaveCabin ? at({ days: -4 }) : null,
  }))

export const alertDeviceRows: (typeof alertDevices.$inferInsert)[] = ALERT_PLANS.flatMap(({ id, placeId, devices }) =>
  devices.map((deviceId) => ({ alertId: id, deviceId, crossing: placeId === SEED.places.home ? INSIDE : null, firedAt: null })),
)

export const alertContactRows: (typeof alertContacts.$inferInsert)[] = ALERT_PLANS.flatMap(({ id, contacts: recipients }) =>
  recipients.map((contactId) => ({ alertId: id, contactId })),
)

/** Chloe has not typed the code yet that was sent to her topic. */
export const channelRows = (at: Moments): (typeof channels.$inferInsert)[] => [
  {
    id: SEED_CHANNEL.id,
    userId: getPersona('chloe').id,
    kind: 'ntfy',
    label: 'My phone',
    target: 'https://ntfy.example.com/chloe-4711',
    createdAt: at(),
    codeHash: sha256(SEED_CHANNEL.code),
    codeAt: at(),
  },
]
