import { endedSince, type Fleet, moving, standing, tracker, until } from './device-plan.ts'
import { ALICE_DEVICES } from './devices-alice.ts'
import { PRO_ACCOUNT, persona } from './personas.ts'
import { SEED } from './seed-ids.ts'

const ids = SEED.devices
const hours = 60
const days = 24 * hours
const of = (key: string) => persona(key).accountId

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
  tracker(ids.harukaDog, 'ポチ', 'tracker_06', 'dog', 21, 78, 'lora', until(140, 'eur-12m'), standing('buceo', 64)),
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
  { accountId: of('alice'), head: '10000000', maker: 'ALICE', devices: ALICE_DEVICES },
  { accountId: PRO_ACCOUNT, head: '20000000', maker: 'PROFLEET', devices: pro },
  { accountId: of('haruka'), head: '30000000', maker: 'HARUKA', devices: haruka },
  {
    accountId: of('george'),
    head: '40000000',
    maker: 'GEORGE',
    devices: [
      tracker(ids.george, 'Land Rover', 'tracker_01', 'vehicle', 1, 35, 'sigfox', endedSince(6, 'gbp-12m'), standing('pocitos', 7 * days), {
        seen: { days: -6 },
      }),
    ],
  },
  {
    accountId: of('usha'),
    head: '50000000',
    maker: 'USHA',
    devices: [tracker(ids.usha, 'Scooter', 'tracker_03', 'vehicle', 3, 82, 'lte_m', until(28, 'usd-12m'), standing('parqueRodo', 80))],
  },
  {
    accountId: of('erika'),
    head: '60000000',
    maker: 'ERIKA',
    devices: [
      tracker(ids.erika, 'Velo', 'tracker_01', 'bike', 1, 20, 'sigfox', endedSince(15), standing('shopping', 16 * days), {
        seen: { days: -15 },
      }),
    ],
  },
  { accountId: of('zoe'), head: '70000000', maker: 'ZOE', devices: zoe },
  { accountId: of('victor'), head: '80000000', maker: 'VICTOR', devices: victor },
]
