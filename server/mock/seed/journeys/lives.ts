import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { DAY, dayOf } from './itinerary.ts'
import { PETS } from './lives-pets.ts'
import { ROAD } from './lives-road.ts'
import { after, arrive, leave, type Profile, SPEED, type Target } from './profile.ts'

const ids = SEED.devices

const walker = (id: number, base: Target, moves: ReturnType<Profile['moves']>): Profile => ({
  id,
  by: 'foot',
  speed: SPEED.walk,
  base,
  moves: () => moves,
})

/** A plane that flies every other day and landed `landed` minutes from the anchor. */
const plane = (id: number, base: Target, landed: number, ...far: Target[]): Profile => ({
  id,
  by: 'air',
  speed: SPEED.plane,
  base,
  moves: (day) => ((day + Number(landed > 0)) % 2 === 0 ? [arrive(landed, ...far)] : []),
  isPunctual: true,
})

/** A tracker that has stood still for `still` minutes at the anchor, after an hour or two at `from`. */
function parked(id: number, base: Target, still: number, from: Target): Profile {
  const day = dayOf(-still * 60)
  const back = -still - (day * DAY) / 60
  const trip = [leave(back - 150, from), arrive(back, base)]
  return { id, by: 'wheels', speed: SPEED.car, base, moves: (asked) => (asked === day ? trip : []), isPunctual: true }
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

/** The profile of every seeded tracker, by id. */
export const LIVES: ReadonlyMap<number, Profile> = new Map([...PETS, ...ROAD, ...OTHERS].map((profile) => [profile.id, profile]))
