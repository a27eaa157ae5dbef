import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { finish } from '#contracts/rules/work.ts'
import { createTrackEncoder, decodeTrack, type EncodablePosition } from '#contracts/track/codec.ts'
import { pointAt } from '#contracts/track/columns.ts'
import type { Lab } from '#scripts/bench/lab.ts'
import { type Call, openLoad } from '#scripts/bench/load.ts'
import { alternate, compareRates, compareTimes, quantile } from '#scripts/bench/measure.ts'
import { absolute, atLeast, atMost, compareFigures, type Row } from '#scripts/bench/row.ts'
import { MONTH_DAYS, MONTH_DEVICE, PAIR_DEVICES, period } from '#scripts/bench/servers/bench-data.ts'

type HistoryCall = '' | 'track/' | 'export_csv/'

async function historyRequest(lab: Lab, call: HistoryCall, days = MONTH_DAYS): Promise<Call> {
  const { url, pid, token } = await lab.portal()
  const path = `/devices/${MONTH_DEVICE}/tracker_data/${call}?${period(days)}`
  return { pid, url: `${url}${path}`, headers: { authorization: `Bearer ${token}` } }
}

type Response = { id: string; name: string; call: HistoryCall; days: number; goal: number }

const historyResponse = ({ id, name, call, days, goal }: Response): Row => ({
  id: `D1/${id}`,
  name,
  floor: 'node:http, same bytes',
  goal: atLeast(goal),
  async measure(lab) {
    const ours = await historyRequest(lab, call, days)
    return compareRates({ ours, floor: await lab.floorOf(ours.url, ours.headers) })
  },
})

const READERS = 2
const READING_ROUNDS = 5
const REQUESTS = 60

async function withReaders<T>(lab: Lab, call: Call, work: () => Promise<T>) {
  const reader = await lab.start<string>('reader')
  const reading = once(reader.process, 'message')
  reader.send({ call, readers: READERS })
  await reading
  const result = await work()
  const stopped = once(reader.process, 'message')
  reader.send('stop')
  await stopped
  return result
}

const beside = (id: string, call: HistoryCall): Row => ({
  id: `D5/${id}`,
  name: `small request beside two who read a month as ${id}, median`,
  floor: 'the same request alone',
  goal: atMost(15),
  async measure(lab) {
    const { url, pid, token } = await lab.portal()
    const small = { pid, url: `${url}/devices/${MONTH_DEVICE}/tracker_status/`, headers: { authorization: `Bearer ${token}` } }
    const load = await openLoad(small, 1)
    const month = await historyRequest(lab, call)
    const median = async () => quantile(await load.times(REQUESTS), 0.5)
    const [besideTimes, aloneTimes] = await alternate(READING_ROUNDS, [() => withReaders(lab, month, median), median])
    load.close()
    return compareFigures(quantile(besideTimes!, 0.5), quantile(aloneTimes!, 0.5), 'ms')
  },
})

/** The corners of an area of about the size of the circle. */
function drawCorners(count: number): [number, number][] {
  return Array.from({ length: count }, (_, nth) => {
    const angle = (2 * Math.PI * nth) / count
    return [-34.9 + 0.0018 * Math.sin(angle), -56.15 + 0.0022 * Math.cos(angle)]
  })
}

const DRY_RUN_ALERTS = {
  place: { circle: { lat: -34.9, lng: -56.15, radius: 200 }, trigger: 'leave' },
  area: { shape: { type: 'polygon', points: drawCorners(12) }, trigger: 'leave' },
  speed: { rule: { kind: 'speed', over: 50, seconds: 30 } },
  stands: { rule: { kind: 'stands', minutes: 60 } },
  together: { devices: PAIR_DEVICES, rule: { kind: 'together', meters: 200 } },
  apart: { devices: PAIR_DEVICES, rule: { kind: 'apart', meters: 200 } },
} as const

const dryRuns = Object.entries(DRY_RUN_ALERTS).map(
  ([id, alert]): Row => ({
    id: `D6/${id}`,
    name: `processor time of a dry run on 50,000 positions (${id}), median`,
    floor: 'nothing',
    goal: atMost(300),
    async measure(lab) {
      const { url, pid, token } = await lab.portal()
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ devices: [MONTH_DEVICE], contacts: [], days: MONTH_DAYS, tz: 'UTC', ...alert })
      const load = await openLoad({ method: 'POST', url: `${url}/tracker_alerts/dry_run/`, pid, headers, body: () => body }, 1)
      const rounds: number[] = []
      for (let round = 0; round < DRY_RUNS; round++) {
        const { requests, cpuMs } = await load.run(1)
        rounds.push(cpuMs / requests)
      }
      load.close()
      return absolute(quantile(rounds, 0.5), 'ms')
    },
  }),
)
const DRY_RUNS = 10

const POSITIONS = 100_000
const BLOCK = 1000

/** The compact form of a history compared with JSON objects of the same positions, as in pages. */
const sample = () => {
  const encoder = createTrackEncoder()
  const positions = Array.from({ length: POSITIONS }, (_, index) => walkAt(index))
  const blocks: Uint8Array[] = []
  for (let start = 0; start < POSITIONS; start += BLOCK) blocks.push(encoder.encode(positions.slice(start, start + BLOCK)))
  const bytes = Buffer.concat([...blocks, encoder.end()])
  const decoded = finish(decodeTrack(bytes))
  return { bytes, json: Buffer.from(JSON.stringify(positions.map((_, index) => pointAt(decoded, index)))) }
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

export const history: Row[] = [
  historyResponse({ id: 'page-1', name: 'first page of a day', call: '', days: 1, goal: 0.05 }),
  historyResponse({ id: 'track-30', name: 'compact answer of 30 days', call: 'track/', days: MONTH_DAYS, goal: 0.02 }),
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
      return compareTimes({
        ours: () => finish(decodeTrack(bytes)),
        floor: () => JSON.parse(new TextDecoder().decode(json)),
        rounds: 20,
      })
    },
  },
  beside('pages', ''),
  beside('csv', 'export_csv/'),
  ...dryRuns,
]
