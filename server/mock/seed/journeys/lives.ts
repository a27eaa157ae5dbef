import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { DAY_SECONDS, dayNumber } from './itinerary.ts'
import { after, arrive, leave, type Move, type Profile, rounds, SPEED_MPS, type Target } from './profile.ts'

const ids = SEED.devices
const rambla = ['home', -1300, -700] as const
const square = ['plazaVirgilio', -700, -350] as const
const park = ['malvin', 450, 30] as const
const beach = ['malvin', 1000, 150] as const

const cat = (id: number, base: Profile['base'], spot: 'home' | 'parqueBatlle' | 'villaDolores', back: number): Profile => ({
  id,
  by: 'foot',
  speed: SPEED_MPS.cat,
  base,
  moves: () => [
    leave(-430, [spot, 110, 70], [spot, -140, 60]),
    after(35, base),
    leave(back - 100, [spot, -160, 90], [spot, 150, -40], [spot, 60, 170]),
    after(12, [spot, -60, 190], [spot, 200, 80]),
    arrive(back, base),
    leave(back + 190, [spot, 180, 40], [spot, -90, 140]),
    after(25, [spot, 240, 130], base),
    leave(540, [spot, -210, 20], [spot, 100, 100]),
    after(40, base),
  ],
})

const PETS: Profile[] = [
  {
    id: ids.rex,
    by: 'foot',
    speed: SPEED_MPS.dog,
    base: 'home',
    // The last walk begins 95 seconds before the anchor, so Rex leaves the circle of Home within three minutes.
    moves: () => [
      leave(-225, square, park, rambla),
      after(12, 'home'),
      leave(-80, park, square, beach),
      after(9, 'home'),
      leave(-95 / 60, rambla, beach, square),
      after(18, 'home'),
      leave(310, beach, park, rambla),
      after(15, 'home'),
      leave(610, square, rambla, park),
      after(10, 'home'),
    ],
  },
  cat(ids.misty, 'home', 'home', -8),
  cat(ids.runawayCat, ['parqueBatlle', 120, 80], 'parqueBatlle', -26),
  cat(ids.zoeCat, 'villaDolores', 'villaDolores', -130),
  {
    id: ids.puppy,
    isPunctual: true,
    by: 'foot',
    speed: SPEED_MPS.dog,
    base: 'malvin',
    moves: (day) =>
      day > -1
        ? []
        : [leave(-240, park, beach), arrive(-180, 'malvin'), leave(300, beach, park), after(10, 'malvin')].slice(0, day === -1 ? 2 : 4),
  },
  {
    id: ids.harukaDog,
    by: 'foot',
    speed: SPEED_MPS.dog,
    base: 'buceo',
    moves: () => [
      leave(-105, ['buceo', -500, 100], ['buceo', -900, 150]),
      arrive(-64, 'buceo'),
      leave(420, ['buceo', -900, 150]),
      after(12, 'buceo'),
    ],
  },
  {
    id: ids.proDog,
    by: 'foot',
    speed: SPEED_MPS.dog,
    base: 'reducto',
    moves: () => [leave(-90, ['reducto', 300, 200]), arrive(-45, 'reducto'), leave(160, ['reducto', -300, 150]), after(6, 'reducto')],
  },
]

const DELIVERY = ['cordon', 'blanqueada', 'union', 'pocitos', 'shopping', 'cerrito', 'aguada'] as const
const WORKS = ['prado', 'tresCruces', 'oldTown', 'maronas', 'parqueBatlle'] as const
const HIDEOUTS = ['prado', 'reducto', 'aguada', 'cordon'] as const

const wheels = (id: number, speed: number, base: Profile['base'], moves: Move[]): Profile => ({
  id,
  by: 'wheels',
  speed,
  base,
  moves: () => moves,
})

/** On the road most of the day, and at the anchor; `since` is in minutes. */
const busy = (id: number, base: Profile['base'], since: number, far: Profile['base'], stops: readonly Profile['base'][]) =>
  wheels(id, SPEED_MPS.van, base, [
    leave(-140, ...stops),
    ...rounds(9, 4, ...stops),
    leave(since, far),
    ...rounds(20, 5, ...stops),
    leave(420, base),
  ])

const ROAD: Profile[] = [
  wheels(ids.cityBike, SPEED_MPS.bike, 'home', [
    leave(-170, 'parqueBatlle', 'university'),
    arrive(-100, 'tresCruces', 'shopping'),
    leave(215, 'parqueRodo', 'university'),
    after(80, 'home'),
  ]),
  wheels(ids.familyCar, SPEED_MPS.car, 'home', [
    leave(-155, 'school'),
    arrive(-101, 'office'),
    leave(240, 'shop', 'shopping'),
    after(35, 'office'),
    leave(490, 'school', 'shopping'),
    after(15, 'home'),
  ]),
  wheels(ids.coldBox, SPEED_MPS.van, 'depot', [arrive(-35, 'shop'), leave(290, 'depot')]),
  busy(ids.stolenScooter, 'cerrito', -460 / 60, 'puntaGorda', HIDEOUTS),
  busy(ids.deliveryVan, 'depot', -395 / 60, 'puntaGorda', DELIVERY),
  busy(ids.companyVan, 'reducto', -330 / 60, 'malvin', WORKS),
  busy(ids.proVan, 'cordon', -590 / 60, 'aconcagua', ['prado', 'cerrito', 'oldTown', 'parqueRodo']),
  wheels(ids.proTruck, SPEED_MPS.van, 'reducto', [
    leave(-330, 'maronas'),
    arrive(-190, 'reducto'),
    leave(120, 'oldTown'),
    after(40, 'reducto'),
  ]),
  {
    ...wheels(ids.harukaBike, SPEED_MPS.bike, 'shopping', [leave(420, 'parqueRodo', 'villaDolores'), arrive(540, 'shopping')]),
    isPunctual: true,
  },
  {
    ...wheels(ids.zoeBike, SPEED_MPS.bike, 'villaDolores', [leave(510, 'parqueBatlle', 'buceo'), arrive(600, 'villaDolores')]),
    isPunctual: true,
  },
  wheels(ids.usha, SPEED_MPS.car, 'parqueRodo', [
    leave(-160, 'cordon'),
    arrive(-80, 'parqueRodo'),
    leave(400, 'pocitos'),
    after(60, 'parqueRodo'),
  ]),
]

const walker = (id: number, base: Target, moves: ReturnType<Profile['moves']>): Profile => ({
  id,
  by: 'foot',
  speed: SPEED_MPS.walk,
  base,
  moves: () => moves,
})

/** A plane that flies every other day and landed `landed` minutes from the anchor. */
const plane = (id: number, base: Target, landed: number, ...far: Target[]): Profile => ({
  id,
  by: 'air',
  speed: SPEED_MPS.plane,
  base,
  moves: (day) => ((day + Number(landed > 0)) % 2 === 0 ? [arrive(landed, ...far)] : []),
  isPunctual: true,
})

/** A tracker that has stood still for `still` minutes at the anchor, after an hour or two at `from`. */
function parked(id: number, base: Target, still: number, from: Target): Profile {
  const day = dayNumber(-still * 60)
  const back = -still - (day * DAY_SECONDS) / 60
  const trip = [leave(back - 150, from), arrive(back, base)]
  return { id, by: 'wheels', speed: SPEED_MPS.car, base, moves: (on) => (on === day ? trip : []), isPunctual: true }
}

const HOURS = 60
const DAYS = 24 * HOURS

const OTHERS: Profile[] = [
  plane(ids.cessna, 'hangar', -240, ['hangar', -3600, -4200], ['hangar', -5200, -3400]),
  walker(ids.grandpa, 'pocitos', [
    leave(-75, 'shop'),
    arrive(-7, 'pocitos'),
    leave(150, ['pocitos', 700, 250], ['pocitos', -800, -500]),
    after(20, 'pocitos'),
    leave(450, ['pocitos', -800, -500], ['pocitos', 700, 250]),
    after(30, 'pocitos'),
  ]),
  walker(ids.hiker, 'prado', [
    leave(-210, ['prado', -900, 500]),
    arrive(-50, 'prado'),
    leave(60, ['prado', 800, -600]),
    after(25, 'prado'),
  ]),
  walker(ids.proCourier, 'cordon', [leave(-60, 'university'), arrive(-12, 'cordon'), leave(45, 'aguada'), after(10, 'cordon')]),
  plane(ids.proPlane, 'carrasco', 4 * HOURS, ['carrasco', -2600, -5200]),
  parked(ids.newTracker, 'home', 2 * DAYS, 'malvin'),
  parked(ids.spareTracker, 'aconcagua', 6 * DAYS, 'union'),
  parked(ids.oldTracker, 'parqueRodo', 121 * DAYS, 'pocitos'),
  parked(ids.kitchen, 'plazaVirgilio', 9 * DAYS, 'shopping'),
  parked(ids.trailer, 'maronas', 3 * DAYS, 'depot'),
  parked(ids.proBike, 'oldTown', 10 * DAYS, 'cordon'),
  parked(ids.george, 'pocitos', 7 * DAYS, 'carrasco'),
  parked(ids.erika, 'shopping', 16 * DAYS, 'blanqueada'),
  ...[ids.victorFree, ids.victorOneAttempt, ids.victorLocked, ids.victorPending].map((id) => parked(id, 'union', 5 * DAYS, 'maronas')),
]

export const PROFILES: ReadonlyMap<number, Profile> = new Map([...PETS, ...ROAD, ...OTHERS].map((profile) => [profile.id, profile]))
