import { gzipSync } from 'node:zlib'
import { finish } from '#contracts/rules/work.ts'
import { createTrackEncoder, decodeTrack, type EncodablePosition } from '#contracts/track/codec.ts'
import { pointAt } from '#contracts/track/columns.ts'
import { compareRates } from '#scripts/bench/measure.ts'
import { absolute, atLeast, atMost, compareFigures, type MeasuredRow, type Row } from '#scripts/bench/row.ts'
import { MONTH_DEVICE, period } from '#scripts/bench/servers/bench-data.ts'

type Answer = { id: string; name: string; call: '' | 'track/'; days: number; goal: number }

const historyAnswer = ({ id, name, call, days, goal }: Answer): MeasuredRow => ({
  id: `D1/${id}-${days}`,
  name: `${name} of ${days === 1 ? 'a day' : `${days} days`}`,
  floor: 'node:http, same bytes',
  goal: atLeast(goal),
  async measure(lab) {
    const { url, pid, token } = await lab.portal()
    const path = `/devices/${MONTH_DEVICE}/tracker_data/${call}?${period(days)}`
    const ours = { pid, url: `${url}${path}`, headers: { authorization: `Bearer ${token}` } }
    return compareRates({ ours, floor: await lab.floorOf(ours.url, ours.headers) })
  },
})

const firstPage = { id: 'page', name: 'first page', call: '' } as const

export const history: Row[] = [historyAnswer({ ...firstPage, days: 1, goal: 0.05 }), historyAnswer({ ...firstPage, days: 30, goal: 0.02 })]

const POSITIONS = 100_000
const BLOCK = 1000
const ROUNDS = 20

/** The compact form of a history compared with JSON objects of the same positions, as in pages. */
const sample = () => {
  const positions = Array.from({ length: POSITIONS }, (_, index) => walkAt(index))
  const bytes = encode(positions)
  const decoded = finish(decodeTrack(bytes))
  return { bytes, json: Buffer.from(JSON.stringify(positions.map((_, index) => pointAt(decoded, index)))) }
}

const compactAnswer = { id: 'track', name: 'compact answer', call: 'track/' } as const

export const historyTrack: Row[] = [
  historyAnswer({ ...compactAnswer, days: 1, goal: 0.05 }),
  historyAnswer({ ...compactAnswer, days: 30, goal: 0.02 }),
  {
    id: 'D3',
    name: 'bytes a position of the compact answer, gzip',
    floor: 'gzip of JSON objects',
    goal: atMost(0.75),
    measure: async () => {
      const { bytes, json } = sample()
      return compareFigures(gzipSync(bytes, { level: 4 }).length / POSITIONS, gzipSync(json).length / POSITIONS, 'B')
    },
  },
  {
    id: 'D4',
    name: '100,000 positions decoded',
    floor: 'JSON.parse of objects',
    goal: atMost(0.2),
    measure: async () => {
      const { bytes, json } = sample()
      const decode = () => finish(decodeTrack(bytes)).length
      return compareTimes(decode, () => JSON.parse(new TextDecoder().decode(json)).length)
    },
  },
  {
    id: 'D6',
    name: 'positions that differ after decoding, of 100,000 that jump over the globe',
    floor: 'none may',
    goal: atMost(0),
    measure: async () => absolute(countDifferences(), ''),
  },
]

function encode(positions: readonly EncodablePosition[]) {
  const encoder = createTrackEncoder()
  const blocks: Uint8Array[] = []
  for (let start = 0; start < positions.length; start += BLOCK) blocks.push(encoder.encode(positions.slice(start, start + BLOCK)))
  return Buffer.concat([...blocks, encoder.end()])
}

/** A walk with a position every few seconds, past houses of the same streets. */
const walkAt = (index: number): EncodablePosition => ({
  id: 7 * 2 ** 32 + 1_770_000_000 + index * 5,
  time: 1_770_000_000 + index * 5,
  lat: -349_000_000 + index * 731 + scatter(index, 600),
  lng: -561_900_000 + ((index * 412) % 900_000) + scatter(index + 1, 600),
  precision: 5 + scatter(index + 2, 8),
  event: index % 300 === 0 ? 'moving' : null,
  address: `Calle ${Math.floor(index / 200) % 60} ${1000 + Math.floor(index / 10)}, Centro, Montevideo`,
  battery: 90 - Math.floor(index / 1500),
  speed: null,
  course: null,
  altitude: null,
  mark: null,
})

/** A whole number below `limit` without a pattern that a compressor could use. */
const scatter = (index: number, limit: number) => Math.floor(Math.abs((Math.sin(index * 12.9898) * 43_758.5453) % 1) * limit)

/** Counts positions that decode to other values, for jumps over the whole globe, also across the antimeridian. */
function countDifferences() {
  const jumps = Array.from({ length: POSITIONS }, (_, index): EncodablePosition => {
    const place = {
      lat: ((index * 7_919_317) % 1_800_000_001) - 900_000_000,
      lng: index % 2 === 0 ? 1_800_000_000 : -1_799_999_999 + index,
    }
    return { ...walkAt(index), ...place, precision: (index * 977) % 100_001, battery: index % 3 === 0 ? null : (index % 10_002) - 1 }
  })
  const decoded = finish(decodeTrack(encode(jumps)))
  return jumps.filter(({ id, time, lat, lng, precision, event, address, battery }, index) => {
    const point = pointAt(decoded, index)
    const same = [id, time * 1000, lat / 1e7, lng / 1e7, precision, event, address, battery]
    const got = [point.id, Date.parse(point.datetime), point.lat, point.lng, point.precision, point.event, point.address, point.battery]
    return got.some((value, field) => value !== same[field])
  }).length
}

/** Alternates the rounds, and uses the best of each. */
function compareTimes(work: () => number, floor: () => number) {
  let [best, bestFloor] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < ROUNDS; round++) {
    bestFloor = Math.min(bestFloor, time(floor))
    best = Math.min(best, time(work))
  }
  return compareFigures(best, bestFloor, 'ms')
}

function time(work: () => number) {
  const begin = performance.now()
  if (work() !== POSITIONS) throw new Error('Positions are missing')
  return performance.now() - begin
}
