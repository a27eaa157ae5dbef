import { HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import type { Work } from '#contracts/rules/work.ts'
import { metersBetween, msBetween, PAUSE, type Path, timeAt } from './path.ts'

/** A speed is measured over at least ten seconds and over a distance that is large compared with the noise, or over two minutes. */
const MIN_WINDOW_MS = 10_000
const MAX_WINDOW_MS = 2 * MINUTE_MS
const WINDOW_PRECISIONS = 16
/** A longer step than for the distance: noise lengthens a path, and must not produce speeds. */
const SPEED_STEP_PRECISIONS = 3
/** A step this many times longer than the mean step, and longer than a window, is a silence. */
const SILENCE_FACTOR = 10
/** A mean over this long needs no second window to confirm it. */
const CONFIRMED_MS = MINUTE_MS

/** Metres along the path and the speeds along it. `kmh` and `along` (metres from the first fix) are indexed from the first fix. */
export type Way = { meters: number; topSpeedKmh: number; kmh: Float64Array; along: Float64Array }

/** Measures the way from fix number `first` to fix number `last`. */
export function* measureWay(path: Path, first: number, last: number): Work<Way> {
  const along = yield* measureAlong(path, first, last)
  const meters = along[last - first] ?? 0
  const { topSpeedKmh, kmh } = yield* measureSpeeds(path, first, yield* measureAlong(path, first, last, SPEED_STEP_PRECISIONS))
  return { meters, topSpeedKmh, kmh, along }
}

/** Metres from the first fix. A move shorter than this many precisions of its fix is held back until the next ones add up to more. */
export function* measureAlong(path: Path, first: number, last: number, precisions = 1): Work<Float64Array> {
  const along = new Float64Array(Math.max(0, last - first) + 1)
  let at = first
  for (let index = first + 1; index <= last; index++) {
    if (index % PAUSE === 0) yield
    const moved = metersBetween(path, at, index)
    const least = precisions * (path.precision[index] ?? 0)
    if (moved < least && index < last) continue
    const start = along[at - first] ?? 0
    // Fixes in between are placed along the way by their time, or at its start if the last step is long enough alone.
    const error = Math.max(least, precisions * (path.precision[index - 1] ?? 0))
    const from = index - at > 1 && metersBetween(path, index - 1, index) >= error ? index - 1 : at
    const ms = msBetween(path, from, index)
    for (let between = at + 1; between <= index; between++)
      along[between - first] = start + (ms > 0 ? (moved * Math.max(0, msBetween(path, from, between))) / ms : between < index ? 0 : moved)
    at = index
  }
  return along
}

/**
 * The highest speed that the window one fix earlier or later confirms, which excludes speeds caused by a single fix, and that the windows
 * before or after it confirm by at least half, which excludes jumps in drift. Windows over a silence do not count, as the fixes after one
 * are the least reliable. It is never below the mean of the way.
 */
function* measureSpeeds(path: Path, first: number, along: Float64Array): Work<Pick<Way, 'topSpeedKmh' | 'kmh'>> {
  const count = along.length
  const last = first + count - 1
  const [ends, speeds] = [new Int32Array(count), new Float64Array(count)]
  const [counted, ending] = [new Float64Array(count), new Float64Array(count)]
  const total = msBetween(path, first, last)
  const silenceMs = Math.max(MAX_WINDOW_MS, (SILENCE_FACTOR * total) / Math.max(1, count - 1))
  let [windows, silence] = [0, 0]
  for (let from = 0, to = 0; from < count - 1; from++) {
    if (from % PAUSE === 0) yield
    while (to < count - 1 && !isLongEnough(path, first, along, from, to)) {
      to++
      if (msBetween(path, first + to - 1, first + to) > silenceMs) silence = to
    }
    if (!isLongEnough(path, first, along, from, to)) break
    const speed = kmhOf((along[to] ?? 0) - (along[from] ?? 0), msBetween(path, first + from, first + to))
    ends[from] = to
    speeds[from] = speed
    windows = from + 1
    if (silence > from) continue
    counted[from] = speed
    ending[to] = Math.max(ending[to] ?? 0, speed)
  }
  const mean = kmhOf(along[count - 1] ?? 0, total)
  let topSpeedKmh = total < CONFIRMED_MS && windows > 0 ? 0 : mean
  for (let from = 0; from < windows; from++) {
    if (from % PAUSE === 0) yield
    const [to, speed] = [ends[from] ?? 0, counted[from] ?? 0]
    if (speed <= topSpeedKmh) continue
    const isLong = msBetween(path, first + from, first + to) >= CONFIRMED_MS
    const shifted = Math.max(counted[from - 1] ?? 0, counted[from + 1] ?? 0)
    const beside = Math.max(ending[from] ?? 0, to < windows ? (counted[to] ?? 0) : 0)
    topSpeedKmh = Math.max(topSpeedKmh, isLong ? speed : Math.min(speed, shifted, 2 * beside))
  }
  return { topSpeedKmh, kmh: yield* spreadSpeeds(path, first, { ends, speeds, windows, mean, topSpeedKmh }) }
}

function isLongEnough(path: Path, first: number, along: Float64Array, from: number, to: number): boolean {
  const ms = msBetween(path, first + from, first + to)
  if (ms < MIN_WINDOW_MS) return false
  return ms >= MAX_WINDOW_MS || (along[to] ?? 0) - (along[from] ?? 0) >= WINDOW_PRECISIONS * (path.precision[first + to] ?? 0)
}

type Windows = { ends: Int32Array; speeds: Float64Array; windows: number; mean: number; topSpeedKmh: number }

/** The speed with which each fix was reached, taken from the window whose middle is nearest. */
function* spreadSpeeds(path: Path, first: number, { ends, speeds, windows, mean, topSpeedKmh }: Windows): Work<Float64Array> {
  const kmh = new Float64Array(ends.length)
  let window = 0
  for (let index = 1; index < kmh.length; index++) {
    if (index % PAUSE === 0) yield
    const middle = (timeAt(path, first + index - 1) + timeAt(path, first + index)) / 2
    const distance = (from: number) => Math.abs(timeAt(path, first + from) + timeAt(path, first + (ends[from] ?? 0)) - 2 * middle)
    while (window + 1 < windows && distance(window + 1) <= distance(window)) window++
    kmh[index] = Math.min(topSpeedKmh, windows > 0 ? (speeds[window] ?? 0) : mean)
  }
  return kmh
}

const kmhOf = (meters: number, ms: number) => (ms > 0 ? meters / 1000 / (ms / HOUR_MS) : 0)
