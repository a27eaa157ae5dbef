import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { after, arrive, leave, type Profile, SPEED } from './profile.ts'

const ids = SEED.devices
const rambla = ['home', -1300, -700] as const
const square = ['plazaVirgilio', -700, -350] as const
const park = ['malvin', 450, 30] as const
const beach = ['malvin', 1000, 150] as const

const cat = (id: number, base: Profile['base'], spot: 'home' | 'parqueBatlle' | 'villaDolores', back: number): Profile => ({
  id,
  by: 'foot',
  speed: SPEED.cat,
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

export const PETS: Profile[] = [
  {
    id: ids.rex,
    by: 'foot',
    speed: SPEED.dog,
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
    speed: SPEED.dog,
    base: 'malvin',
    moves: (day) =>
      day > -1
        ? []
        : [leave(-240, park, beach), arrive(-180, 'malvin'), leave(300, beach, park), after(10, 'malvin')].slice(0, day === -1 ? 2 : 4),
  },
  {
    id: ids.harukaDog,
    by: 'foot',
    speed: SPEED.dog,
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
    speed: SPEED.dog,
    base: 'reducto',
    moves: () => [leave(-90, ['reducto', 300, 200]), arrive(-45, 'reducto'), leave(160, ['reducto', -300, 150]), after(6, 'reducto')],
  },
]
