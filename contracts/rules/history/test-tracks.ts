import type { Fix, LatLng } from '#contracts/rules/geo/coordinates.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'

/**
 * One part of a clean path. `turn` in degrees a second; a tracker at rest drifts by up to `drift` metres; its first `astray` fixes lie a
 * kilometre away. `precision` replaces that of the day, such as for a phone without GPS.
 */
type Part = {
  seconds: number
  kmh?: number
  turn?: number
  heading?: number
  drift?: number
  isSilent?: boolean
  isStuck?: boolean
  astray?: number
  precision?: number
}

/**
 * A synthetic day with a known truth. `interval` in seconds, `precision` in metres; `jumps`, `runs`, `zeros` and `vague` are the share of
 * the fixes where such a fault begins.
 */
export type Scenario = {
  name: string
  parts: Part[]
  interval: number
  precision: number
  jumps?: number
  runs?: number
  hasBadStart?: boolean
  zeros?: number
  vague?: number
}

export type Truth = { meters: number; topKmh: number; stops: { start: number; end: number }[]; isBad: boolean[]; clean: LatLng[] }

const START_MS = Date.UTC(2026, 4, 4, 6)
const METERS_PER_DEGREE = 111_195
const MIN_STOP_SECONDS = 300

const stand = (minutes: number, drift = 0): Part => ({ seconds: minutes * 60, drift })
const go = (minutes: number, kmh: number, heading: number, turn = 0): Part => ({ seconds: minutes * 60, kmh, heading, turn })
const circle = (minutes: number, kmh: number, secondsAround: number) => go(minutes, kmh, 0, 360 / secondsAround)
const block = (minutesPerSide: number, kmh: number) => [0, 90, 180, 270].map((heading) => go(minutesPerSide, kmh, heading))
const lose = (minutes: number, astray: number): Part[] => [
  { ...stand(minutes), isSilent: true },
  { seconds: 60, astray },
]
const standInNetwork = (minutes: number): Part => ({ ...stand(minutes), precision: 240 })
const travel = (kmh: number) => [stand(20), go(60, kmh, 40), go(30, kmh, 100), stand(30), go(60, kmh, 220), stand(20)]

export const SCENARIOS: Scenario[] = [
  {
    name: 'a walker, 1 Hz',
    interval: 1,
    precision: 8,
    parts: [stand(20), go(25, 5, 40), stand(15), go(20, 4.5, 200), go(8, 5, 300), stand(30)],
  },
  {
    name: 'a walker with jumps and runs of them',
    interval: 5,
    precision: 10,
    jumps: 0.01,
    runs: 0.002,
    hasBadStart: true,
    parts: [stand(30), go(30, 5, 40), stand(20), go(30, 5, 220), stand(20)],
  },
  {
    name: 'a walker with slow drift indoors',
    interval: 5,
    precision: 15,
    parts: [stand(90, 40), go(25, 5, 40), stand(120, 40), go(25, 5, 220), stand(60, 40)],
  },
  {
    name: 'a walker whose first fixes after a silence lie a kilometre away',
    interval: 5,
    precision: 10,
    parts: [
      stand(30),
      go(20, 5, 40),
      ...lose(2, 1),
      go(20, 5, 60),
      stand(10),
      ...lose(4, 4),
      stand(60),
      go(20, 5, 220),
      ...lose(4, 3),
      stand(40),
    ],
  },
  {
    name: 'a dog round a large block',
    interval: 5,
    precision: 8,
    parts: [stand(30), ...block(3, 5), stand(30), ...block(2.5, 7), stand(30)],
  },
  {
    name: 'a runner on a small track',
    interval: 1,
    precision: 4,
    parts: [stand(10), go(4, 12, 90), circle(40, 10, 124), go(4, 12, 270), stand(15)],
  },
  {
    name: 'a walker who is in a shop for four minutes',
    interval: 5,
    precision: 6,
    parts: [stand(60), go(8, 5, 30), stand(4), go(8, 5, 210), stand(60)],
  },
  {
    name: 'a phone that has no GPS where it stands',
    interval: 20,
    precision: 8,
    parts: [standInNetwork(120), go(25, 50, 70), standInNetwork(180), go(25, 50, 250), standInNetwork(90)],
  },
  {
    name: 'a dog in a car',
    interval: 30,
    precision: 10,
    jumps: 0.01,
    parts: [stand(30), go(30, 110, 80), go(10, 60, 100), stand(60), go(40, 100, 250), stand(20)],
  },
  {
    name: 'a car, 1 Hz',
    interval: 1,
    precision: 6,
    parts: [stand(10), go(5, 50, 0), go(30, 125, 30), go(5, 50, 90), stand(20), go(20, 90, 200, 0.02), stand(10)],
  },
  {
    name: 'a car with jumps and runs of them',
    interval: 10,
    precision: 10,
    jumps: 0.01,
    runs: 0.003,
    hasBadStart: true,
    parts: [stand(10), go(5, 50, 0), go(40, 120, 30), go(5, 50, 90), stand(30), go(30, 90, 200), stand(20)],
  },
  { name: 'a car in a closed loop of 4 km', interval: 5, precision: 10, parts: [go(10, 45, 0), go(5.3, 45, 0, 360 / 318), go(10, 45, 0)] },
  {
    name: 'a train stuck in a tunnel',
    interval: 10,
    precision: 12,
    parts: [stand(15), go(20, 140, 90), { ...go(4, 140, 90), isStuck: true }, go(20, 140, 90), stand(20)],
  },
  {
    name: 'a ferry silent for 7 hours',
    interval: 30,
    precision: 10,
    parts: [stand(10), go(30, 80, 0), stand(40), { ...go(420, 35, 90), isSilent: true }, stand(20), go(30, 80, 10)],
  },
  {
    name: 'a plane, 3 s',
    interval: 3,
    precision: 10,
    jumps: 0.003,
    parts: [stand(15), go(5, 200, 10), go(60, 780, 20), go(10, 300, 40), stand(10)],
  },
  {
    name: 'a glider in thermals',
    interval: 4,
    precision: 10,
    parts: [go(10, 120, 90), circle(15, 95, 25), go(15, 150, 120), circle(10, 90, 22), go(20, 160, 300)],
  },
  {
    name: 'a paraglider in thermals',
    interval: 1,
    precision: 5,
    parts: [go(10, 38, 90), circle(12, 38, 22), go(10, 45, 120), circle(9, 36, 20), go(10, 40, 90)],
  },
  {
    name: 'a car that reports once an hour',
    interval: 3600,
    precision: 15,
    parts: [stand(420), go(180, 90, 60), stand(600), go(120, 80, 200), stand(300)],
  },
  {
    name: 'a passenger of a plane who reports once an hour',
    interval: 3600,
    precision: 15,
    parts: [stand(420), go(240, 900, 60), stand(600), go(180, 850, 240), stand(300)],
  },
  { name: 'a passenger at 130 km/h', interval: 10, precision: 10, parts: travel(130) },
  { name: 'a passenger at 300 km/h', interval: 10, precision: 10, parts: travel(300) },
  { name: 'a passenger at 900 km/h', interval: 60, precision: 10, parts: travel(900) },
  {
    name: 'a cat with zeros and vague fixes',
    interval: 30,
    precision: 10,
    zeros: 0.02,
    vague: 0.03,
    parts: [stand(60), go(30, 3, 30), stand(45), go(30, 3, 210), stand(90)],
  },
]

/** Mulberry32: the same seed gives the same numbers everywhere. */
function createRandom(seed: number) {
  let state = seed
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const gauss = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  return { uniform, gauss }
}

type Second = { at: LatLng; meters: number; drift: number; precision: number; isSilent: boolean; isStuck: boolean; isAstray: boolean }

/** The clean path, second by second. */
function walkPath({ parts, interval, precision: usual }: Scenario) {
  const path: Second[] = []
  const stops: Truth['stops'] = []
  let [at, meters, heading]: [LatLng, number, number] = [{ lat: 48, lng: 8 }, 0, 0]
  for (const part of parts) {
    const {
      seconds,
      kmh = 0,
      turn = 0,
      heading: outset,
      drift = 0,
      isSilent = false,
      isStuck = false,
      astray = 0,
      precision = usual,
    } = part
    const start = START_MS + path.length * 1000
    if (kmh === 0 && seconds >= MIN_STOP_SECONDS) stops.push({ start, end: start + seconds * 1000 })
    heading = outset ?? heading
    for (let second = 0; second < seconds; second++) {
      const [step, angle] = [kmh / 3.6, (heading * Math.PI) / 180]
      at = moveBy(at, step * Math.sin(angle), step * Math.cos(angle))
      heading += turn
      if (!isSilent) meters += step
      path.push({ at, meters, drift, precision, isSilent, isStuck, isAstray: second < astray * interval })
    }
  }
  return { path, stops }
}

const moveBy = ({ lat, lng }: LatLng, east: number, north: number): LatLng => ({
  lat: lat + north / METERS_PER_DEGREE,
  lng: lng + east / METERS_PER_DEGREE / Math.cos((lat * Math.PI) / 180),
})

const round = ({ lat, lng }: LatLng): LatLng => ({ lat: Math.round(lat * 1e6) / 1e6, lng: Math.round(lng * 1e6) / 1e6 })

/** The fixes of a scenario: half of their noise is white, half lasts for a minute, like multipath. */
export function createTrack(scenario: Scenario, seed: number): { fixes: Fix[]; truth: Truth } {
  const { parts, interval, jumps = 0, runs = 0, hasBadStart = false, zeros = 0, vague = 0 } = scenario
  const { uniform, gauss } = createRandom(seed)
  const { path, stops } = walkPath(scenario)
  const topKmh = Math.max(...parts.map(({ kmh = 0, isSilent }) => (isSilent ? 0 : kmh)))
  const truth: Truth = { meters: path.at(-1)?.meters ?? 0, topKmh, stops, isBad: [], clean: [] }
  const fixes: Fix[] = []
  const slow = { east: 0, north: 0 }
  let fault = { left: hasBadStart ? 1 : 0, east: 4000, north: -3000 }
  for (const [second, { at, drift, precision, isSilent, isStuck, isAstray }] of path.entries()) {
    if (second % interval !== 0) continue
    const keeps = Math.exp(-interval / (drift ? 240 : 60))
    const sigma = (drift || precision) / 2
    slow.east = keeps * slow.east + Math.sqrt(1 - keeps ** 2) * sigma * gauss()
    slow.north = keeps * slow.north + Math.sqrt(1 - keeps ** 2) * sigma * gauss()
    const chance = uniform()
    if (fault.left === 0 && chance < jumps + runs && second + interval < path.length) {
      const [far, angle] = [500 + 8000 * uniform() ** 2 + interval * 100, 2 * Math.PI * uniform()]
      fault = { left: chance < jumps ? 1 : 3 + Math.floor(12 * uniform()), east: far * Math.cos(angle), north: far * Math.sin(angle) }
    }
    if (isAstray) fault = { left: 1, east: -600, north: 800 }
    const isBad = fault.left > 0
    if (isBad) fault.left--
    if (isSilent) continue
    const offset = isBad ? fault : { east: 0, north: 0 }
    const noisy = moveBy(at, slow.east + (precision / 2) * gauss() + offset.east, slow.north + (precision / 2) * gauss() + offset.north)
    const datetime = START_MS + second * 1000
    const before = fixes.at(-1)
    const share = uniform()
    if (isStuck && before) fixes.push({ ...before, datetime })
    else if (share < zeros) fixes.push({ lat: 0, lng: 0, datetime, precision })
    else if (share < zeros + vague) fixes.push({ ...round(moveBy(noisy, 1500 * gauss(), 1500 * gauss())), datetime, precision: 2000 })
    else fixes.push({ ...round(noisy), datetime, precision })
    truth.isBad.push(isBad || isStuck || share < zeros + vague)
    truth.clean.push(at)
  }
  return { fixes, truth }
}

/** A stop may lack two minutes, because a tracker is known to have left only once it is away. */
export const STOP_TOLERANCE_MS = 2 * MINUTE_MS
