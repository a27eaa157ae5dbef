import { type DevicePlan, endedSince, type Fleet, moving, standing, tracker, until } from './device-plan.ts'
import { getPersona, PRO_ACCOUNT_ID } from './personas.ts'
import { SEED } from './seed-ids.ts'

const ids = SEED.devices
const pets = { tag: SEED.tags.pets }
const vehicles = { tag: SEED.tags.vehicles }
const stolen = { tag: SEED.tags.stolen }
/** Minutes. */
const hours = 60
const days = 24 * hours

/** In the order of their ids, 1 to 18. */
export const ALICE_DEVICES: DevicePlan[] = [
  tracker(ids.rex, 'Rex', 'tracker_06', 'dog', 21, 85, 'lora', until(200, 'eur-1m'), moving('home'), pets, { isCollarActive: true }),
  tracker(ids.misty, 'Misty', 'tracker_04', 'cat', 23, 40, 'lora', until(12), standing('home', 8), pets),
  tracker(ids.cityBike, 'City bike', 'tracker_01', 'bike', 8, 62, 'sigfox', until(90), standing('tresCruces', 100)),
  tracker(
    ids.familyCar,
    'Family car',
    'tracker_02',
    'vehicle',
    10,
    3650,
    'lte_m',
    until(300, 'eur-12m'),
    standing('office', 101),
    vehicles,
  ),
  tracker(ids.cessna, 'Cessna', 'tracker_03', 'plane', 4, 77, 'lte_m', until(45), standing('hangar', 240), { seen: { minutes: -231 } }),
  tracker(ids.grandpa, 'Grandpa', 'tracker_04', 'person', 1, -1, 'lora', standing('pocitos', 7)),
  tracker(ids.newTracker, 'New tracker', 'tracker_01', 'other', 1, 100, 'sigfox', { sub: 'not_activated', added: { days: -1 } }),
  tracker(ids.spareTracker, 'Spare tracker', 'tracker_03', 'other', 1, 100, 'lte_m', standing('aconcagua', 6 * days), {
    sub: 'not_activated',
    endsIn: 700,
    seen: { days: -6 },
    added: { days: -7 },
  }),
  tracker(ids.oldTracker, 'Old tracker', 'tracker_01', 'bike', 1, 3, 'sigfox', endedSince(30), standing('parqueRodo', 121 * days), {
    seen: { days: -120 },
    event: 'low_battery',
    isDeactivated: true,
    added: { days: -700 },
  }),
  tracker(ids.coldBox, 'Cold box', 'tracker_04', 'other', 50, 91, 'lora', until(400, 'eur-24m'), standing('shop', 35), {
    board: 'SCT2-01',
  }),
  tracker(ids.stolenScooter, 'Stolen scooter', 'tracker_02', 'vehicle', 7, 3410, 'lte_m', until(150), moving('blanqueada'), stolen, {
    icon: 'scooter',
  }),
  tracker(ids.runawayCat, 'Runaway cat', 'tracker_04', 'cat', 27, 55, 'lora', until(60), standing('parqueBatlle', 26), pets),
  tracker(ids.deliveryVan, 'Delivery van', 'tracker_03', 'vehicle', 9, 70, 'lte_m', until(80), moving('depot'), vehicles, {
    pendingMode: 7,
  }),
  tracker(ids.companyVan, 'Company van', 'tracker_02', 'vehicle', 2, 3900, 'lte_m', until(20), moving('reducto'), vehicles, {
    isLinkedToPro: true,
  }),
  tracker(ids.kitchen, 'Kitchen', 'triby', 'other', 1, 50, 'none', standing('plazaVirgilio', 9 * days), {
    sub: 'none',
    seen: { hours: -3 },
    event: 'button',
    added: { days: -110 },
  }),
  tracker(ids.hiker, 'Hiker', 'tracker_03', 'person', 2, 66, 'sigfox', until(33), standing('prado', 50), { board: 'LWT2-07' }),
  tracker(
    ids.trailer,
    'Trailer',
    'tracker_02',
    'vehicle',
    3,
    3300,
    'helium',
    until(365, 'eur-36m'),
    standing('maronas', 3 * days),
    vehicles,
    {
      added: { days: -740 },
    },
  ),
  tracker(ids.puppy, 'Puppy', 'tracker_06', 'dog', 22, 30, 'lora', endedSince(1), standing('malvin', 27 * hours), pets, {
    seen: { hours: -26 },
    event: 'low_battery',
  }),
]

const accountOf = (key: string) => getPersona(key).accountId

const pro = [
  tracker(ids.proVan, 'Van 1', 'tracker_02', 'vehicle', 9, 3870, 'lte_m', until(120), moving('cordon')),
  tracker(ids.proTruck, 'Truck 2', 'tracker_02', 'vehicle', 1, 3720, 'helium', until(240), standing('reducto', 190)),
  tracker(ids.proPlane, 'Survey plane', 'tracker_03', 'plane', 4, 88, 'lte_m', until(310), standing('carrasco', 20 * hours), {
    seen: { minutes: 9 - 20 * hours },
  }),
  tracker(ids.proBike, 'Courier bike', 'tracker_01', 'bike', 8, 17, 'sigfox', endedSince(9), standing('oldTown', 10 * days), {
    seen: { days: -9 },
  }),
  tracker(ids.proDog, 'Guard dog', 'tracker_06', 'dog', 21, 64, 'lora', until(75), standing('reducto', 45)),
  tracker(ids.proCourier, 'Courier', 'tracker_04', 'person', 3, 93, 'lora', until(60), standing('cordon', 12)),
]

const haruka = [
  tracker(ids.harukaDog, 'ポチ', 'tracker_06', 'dog', 21, 78, 'lora', until(140, 'jpy-12m'), standing('buceo', 64)),
  tracker(ids.harukaBike, '自転車', 'tracker_01', 'bike', 1, 52, 'sigfox', until(95), standing('shopping', 15 * hours)),
]

const zoe = [
  tracker(ids.zoeCat, 'Misse', 'tracker_04', 'cat', 21, 71, 'lora', until(55), standing('villaDolores', 130)),
  tracker(ids.zoeBike, 'Cykel', 'tracker_01', 'bike', 1, 44, 'sigfox', until(210), standing('villaDolores', 14 * hours)),
]

const victor = ['Moto', 'Coche', 'Furgoneta', 'Bici'].map((name, index) =>
  tracker(ids.victorFree + index, name, 'tracker_01', index === 3 ? 'bike' : 'vehicle', 1, 60 + index, 'sigfox', until(100 + index), {
    ...standing('union', 5 * days),
  }),
)

export const FLEETS: Fleet[] = [
  { accountId: accountOf('alice'), head: '10000000', maker: 'ALICE', devices: ALICE_DEVICES },
  { accountId: PRO_ACCOUNT_ID, head: '20000000', maker: 'PROFLEET', devices: pro },
  { accountId: accountOf('haruka'), head: '30000000', maker: 'HARUKA', devices: haruka },
  {
    accountId: accountOf('george'),
    head: '40000000',
    maker: 'GEORGE',
    devices: [
      tracker(ids.george, 'Land Rover', 'tracker_01', 'vehicle', 1, 35, 'sigfox', endedSince(6, 'gbp-12m'), standing('pocitos', 7 * days), {
        seen: { days: -6 },
      }),
    ],
  },
  {
    accountId: accountOf('usha'),
    head: '50000000',
    maker: 'USHA',
    devices: [tracker(ids.usha, 'Scooter', 'tracker_03', 'vehicle', 3, 82, 'lte_m', until(28, 'usd-12m'), standing('parqueRodo', 80))],
  },
  {
    accountId: accountOf('erika'),
    head: '60000000',
    maker: 'ERIKA',
    devices: [
      tracker(ids.erika, 'Velo', 'tracker_01', 'bike', 1, 20, 'sigfox', endedSince(15), standing('shopping', 16 * days), {
        seen: { days: -15 },
      }),
    ],
  },
  { accountId: accountOf('zoe'), head: '70000000', maker: 'ZOE', devices: zoe },
  { accountId: accountOf('victor'), head: '80000000', maker: 'VICTOR', devices: victor },
]
