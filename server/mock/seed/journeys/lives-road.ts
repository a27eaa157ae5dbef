import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { after, arrive, leave, type Move, type Profile, rounds, SPEED } from './profile.ts'

const ids = SEED.devices
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
  wheels(id, SPEED.van, base, [
    leave(-140, ...stops),
    ...rounds(9, 4, ...stops),
    leave(since, far),
    ...rounds(20, 5, ...stops),
    leave(420, base),
  ])

export const ROAD: Profile[] = [
  wheels(ids.cityBike, SPEED.bike, 'home', [
    leave(-170, 'parqueBatlle', 'university'),
    arrive(-100, 'tresCruces', 'shopping'),
    leave(215, 'parqueRodo', 'university'),
    after(80, 'home'),
  ]),
  wheels(ids.familyCar, SPEED.car, 'home', [
    leave(-155, 'school'),
    arrive(-101, 'office'),
    leave(240, 'shop', 'shopping'),
    after(35, 'office'),
    leave(490, 'school', 'shopping'),
    after(15, 'home'),
  ]),
  wheels(ids.coldBox, SPEED.van, 'depot', [arrive(-35, 'shop'), leave(290, 'depot')]),
  busy(ids.stolenScooter, 'cerrito', -460 / 60, 'puntaGorda', HIDEOUTS),
  busy(ids.deliveryVan, 'depot', -395 / 60, 'puntaGorda', DELIVERY),
  busy(ids.companyVan, 'reducto', -330 / 60, 'malvin', WORKS),
  busy(ids.proVan, 'cordon', -590 / 60, 'aconcagua', ['prado', 'cerrito', 'oldTown', 'parqueRodo']),
  wheels(ids.proTruck, SPEED.van, 'reducto', [
    leave(-330, 'maronas'),
    arrive(-190, 'reducto'),
    leave(120, 'oldTown'),
    after(40, 'reducto'),
  ]),
  {
    ...wheels(ids.harukaBike, SPEED.bike, 'shopping', [leave(420, 'parqueRodo', 'villaDolores'), arrive(540, 'shopping')]),
    isPunctual: true,
  },
  {
    ...wheels(ids.zoeBike, SPEED.bike, 'villaDolores', [leave(510, 'parqueBatlle', 'buceo'), arrive(600, 'villaDolores')]),
    isPunctual: true,
  },
  wheels(ids.usha, SPEED.car, 'parqueRodo', [
    leave(-160, 'cordon'),
    arrive(-80, 'parqueRodo'),
    leave(400, 'pocitos'),
    after(60, 'parqueRodo'),
  ]),
]
