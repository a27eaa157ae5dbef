import type { PlaceType } from '#contracts/lib/constants.ts'
import { toFixed7 } from '#db/positions.ts'
import type { placeDevices, places } from '#db/schema/places.ts'
import { PRO_ACCOUNT, persona } from './personas.ts'
import { SEED } from './seed-ids.ts'
import type { Spot, Spots } from './spots.ts'

const { rex, misty, grandpa, familyCar, companyVan, deliveryVan, coldBox, harukaDog, zoeCat, proVan, proTruck } = SEED.devices

type Plan = [id: number, name: string, type: PlaceType, spot: Spot, radius: number, devices: number[]]

/** Alice has one place of each type, with the smallest, the default and the largest radius. */
const ALICE: Plan[] = [
  [SEED.places.home, 'Home', 'home', 'home', 200, [rex, misty, grandpa]],
  [SEED.places.school, 'School', 'school', 'school', 50, []],
  [SEED.places.office, 'Office', 'work', 'office', 200, [familyCar]],
  [SEED.places.cornerShop, 'Corner shop', 'shop', 'shop', 200, [coldBox]],
  [SEED.places.depot, 'Depot', 'warehouse', 'depot', 200, [companyVan, deliveryVan]],
  [SEED.places.cabin, 'Cabin', 'other', 'cabin', 10_000, []],
]
const HARUKA: Plan[] = [[SEED.places.harukaHome, '自宅', 'home', 'buceo', 200, [harukaDog]]]
const ZOE: Plan[] = [[SEED.places.zoeHome, 'Hemma', 'home', 'villaDolores', 200, [zoeCat]]]
const PRO: Plan[] = [[SEED.places.proDepot, 'Fleet depot', 'warehouse', 'reducto', 200, [proVan, proTruck]]]

type Rows = { places: (typeof places.$inferInsert)[]; placeDevices: (typeof placeDevices.$inferInsert)[] }

export function placeRows(spots: Spots): Rows {
  const owned: [accountId: number, plans: Plan[]][] = [
    [persona('alice').accountId, ALICE],
    [persona('haruka').accountId, HARUKA],
    [persona('zoe').accountId, ZOE],
    [PRO_ACCOUNT, PRO],
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
