const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

type Position = { latitude: number; longitude: number; accuracy: number; at: Date }

export type Tracker = {
  id: number
  ownerId: number
  serial: string
  name: string
  type: string
  kind: string
  tag: string | null
  battery: number
  position: Position | null
  address: string | null
  event: string | null
  stationarySince: Date | null
  onlineSince: Date | null
  operator: string
  isPublic: boolean
  collarSince: Date | null
  mode: number
  minutesMoving: number
  minutesStationary: number
  board: string
  subState: 'not_activated' | 'active' | 'ended' | 'none'
  subEnd: Date | null
  isPro: boolean
  parameters: { frequency: number; keepalive_period: number; temp_uplink_slices_duration: number; temp_slice_duration: number }
}

const PLACES: [address: string, latitude: number, longitude: number][] = [
  ['12 Rue de Rivoli, 75004 Paris', 48.855643, 2.358921],
  ['Avenue Jean Jaurès, 69007 Lyon', 45.746112, 4.837601],
  ['Quai des Belges, 13001 Marseille', 43.295274, 5.374441],
  ['Allée de Brienne, 31000 Toulouse', 43.604512, 1.433107],
  ['Place Kléber, 67000 Strasbourg', 48.583611, 7.745874],
]

type Row = [name: string, type: string, kind: string, subState: Tracker['subState'], battery: number, mode: number]

const ROWS: Row[] = [
  ['Rex', 'tracker_01', 'dog', 'active', 84, 21],
  ['Minou', 'tracker_04', 'cat', 'active', 61, 1],
  ['Grandpa', 'tracker_03', 'person', 'active', 47, 3],
  ['Blue bike', 'tracker_06', 'bike', 'active', 92, 1],
  ['Delivery van', 'tracker_02', 'vehicle', 'active', 3650, 8],
  ['Cessna', 'tracker_05', 'plane', 'active', 77, 4],
  ['Suitcase', 'tracker_01', 'other', 'active', 12, 2],
  ['Field gate', 'tracker_06', 'other', 'active', 58, 50],
  ['Stolen scooter', 'tracker_03', 'vehicle', 'active', 33, 7],
  ['Old collar', 'triby', 'dog', 'ended', 5, 1],
  ['Boat', 'tracker_04', 'other', 'ended', -1, 1],
  ['New collar', 'tracker_01', 'dog', 'not_activated', 100, 1],
  ['New tracker', 'tracker_03', 'vehicle', 'not_activated', 99, 1],
  ['Spare', 'tracker_05', 'other', 'none', 88, 1],
  ['Never seen', 'tracker_02', 'vehicle', 'active', 4100, 1],
  ['Long silent', 'triby', 'cat', 'active', 20, 1],
  ['Truck 1', 'tracker_02', 'vehicle', 'active', 3720, 1],
  ['Truck 2', 'tracker_02', 'vehicle', 'active', 3580, 9],
]

const BOARDS: Record<string, string> = { 'Field gate': 'SCT2_V1', 'Old collar': 'LWT2_A' }
/** Trackers of the second user, an administrator of a business. */
const OF_BUSINESS = ['Truck 1', 'Truck 2']

function createTracker(row: Row, index: number, now: Date): Tracker {
  const [name, type, kind, subState, battery, mode] = row
  const [address, latitude, longitude] = PLACES[index % PLACES.length]!
  const isSilent = name === 'Long silent'
  const seen = new Date(now.getTime() - (isSilent ? 90 * DAY : (index % 9) * 3 * MINUTE + MINUTE))
  const isPlaced = !['Never seen', 'Spare'].includes(name) && subState !== 'not_activated'
  const isMoving = index % 4 === 2
  const ends: Record<Tracker['subState'], Date | null> = {
    active: new Date(now.getTime() + (20 + index * 9) * DAY),
    ended: new Date(now.getTime() - (3 + index) * DAY),
    not_activated: null,
    none: null,
  }
  return {
    id: index + 101,
    ownerId: OF_BUSINESS.includes(name) ? 2 : 1,
    serial: `${String(20_417_330 + index * 7)}${String((index * 13) % 100).padStart(2, '0')}`,
    name,
    type,
    kind,
    tag: index % 5 === 0 ? 'family' : null,
    battery,
    position: isPlaced
      ? { latitude: latitude + index * 0.0011, longitude: longitude - index * 0.0017, accuracy: 10 + index, at: seen }
      : null,
    address: isPlaced ? address : null,
    event: isPlaced ? (isMoving ? 'moving' : 'stopped') : null,
    stationarySince: isPlaced && !isMoving ? new Date(seen.getTime() - (30 + index * 40) * MINUTE) : null,
    onlineSince: isPlaced ? new Date(now.getTime() - 200 * DAY) : null,
    operator: 'Sigfox France',
    isPublic: false,
    collarSince: kind === 'dog' ? new Date(now.getTime() - 40 * DAY) : null,
    mode,
    minutesMoving: 10,
    minutesStationary: 240,
    board: BOARDS[name] ?? 'STD_04',
    subState,
    subEnd: ends[subState],
    isPro: OF_BUSINESS.includes(name),
    parameters: { frequency: 15, keepalive_period: 120, temp_uplink_slices_duration: 2, temp_slice_duration: 60 },
  }
}

/** The eighteen trackers of the seed, then as many plain ones as requested. */
export function createTrackers(count: number, now: Date): Tracker[] {
  const seeded = ROWS.map((row, index) => createTracker(row, index, now))
  const further = Array.from({ length: Math.max(0, count - ROWS.length) }, (_, index) =>
    createTracker([`Fleet ${index + 1}`, 'tracker_03', 'vehicle', 'active', 20 + (index % 80), 1], ROWS.length + index, now),
  )
  return [...seeded, ...further.map((tracker) => spread(tracker))]
}

/** Places the additional trackers on a grid, so that they stay on the map. */
const spread = (tracker: Tracker): Tracker => ({
  ...tracker,
  position: tracker.position && {
    ...tracker.position,
    latitude: 43.5 + (tracker.id % 100) * 0.05,
    longitude: 0.5 + (Math.floor(tracker.id / 100) % 100) * 0.05,
  },
})
