import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import setup from '#scripts/test-setup/templates.ts'
import { compare, printResult, type Row } from './compare.ts'
import { measureReading, measureTiles, measureWorlds, printMeasurement } from './measurements.ts'

/**
 * Each row is a ratio to its own floor, measured in the same run, because absolute figures depend on the machine. Rows cover the API as in
 * production, then the mock server with its journal, then the portal's reader of responses. Worlds come last, in absolute figures, because testers wait for them.
 */
const children: ChildProcess[] = []
const start = (file: string) => {
  const child = fork(new URL(file, import.meta.url), { execArgv: ['--import', 'tsx'] })
  children.push(child)
  return child
}

async function floorOf(url: string, headers: Record<string, string>) {
  const bytes = Buffer.from(await (await fetch(url, { headers })).arrayBuffer())
  const child = start('./floor.ts')
  child.send(bytes.toString('base64'))
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}/`, bytes: bytes.length }
}

await setup()
const ours = start('./ours.ts')
type Portal = { address: string; token: string }
const [{ address, token, mock }] = (await once(ours, 'message')) as [Portal & { mock: Portal }]
const headers = { authorization: `Bearer ${token}` }
const list = `${address}/devices/?type=tracker`
const etag = (await fetch(list, { headers })).headers.get('etag')!
const period = (days: number) =>
  `not_before=${new Date(Date.parse('2026-03-02T09:00:00Z') - days * 86_400_000).toISOString()}&not_after=2026-03-02T09:00:00Z`
const history = (days: number) => `${address}/devices/1/tracker_data/?${period(days)}`
const csv = `${address}/devices/1/tracker_data/export_csv/?${period(30)}`
const key = { 'x-device-key': 'demo-device-key' }
const fixes = (first: number, count: number) =>
  JSON.stringify({
    identifier: '1000000007',
    positions: Array.from({ length: count }, (_, i) => ({
      lat: -34.9,
      lng: -56.2 + (i % 10) / 1e4,
      precision: 6,
      datetime: new Date(Date.parse('2026-01-01T00:00:00Z') + (first * count + i) * 1000).toISOString(),
    })),
  })

let round = 0
const ingest = (count: number, at = address) => ({
  method: 'POST',
  url: `${at}/devices/ingest/`,
  headers: key,
  body: () => fixes(round++, count),
})
const rows: Row[] = [
  {
    name: 'tracker list, unchanged (200)',
    ours: { url: list, headers },
    floor: await floorOf(list, headers),
    status: 200,
    amount: 2000,
    goal: 0.5,
  },
  {
    name: 'tracker list, not modified (304)',
    ours: { url: list, headers: { ...headers, 'if-none-match': etag } },
    floor: await floorOf(`${address}/healthz`, {}),
    status: 304,
    amount: 2000,
    goal: 0.5,
  },
  {
    name: 'history of a day',
    ours: { url: history(1), headers },
    floor: await floorOf(history(1), headers),
    status: 200,
    amount: 300,
    goal: 0.05,
  },
  {
    name: 'history of a month, first page',
    ours: { url: history(30), headers },
    floor: await floorOf(history(30), headers),
    status: 200,
    amount: 100,
    goal: 0.02,
  },
  {
    name: 'history csv of a month',
    ours: { url: csv, headers },
    floor: await floorOf(csv, headers),
    status: 200,
    amount: 100,
    goal: 0.04,
  },
  {
    name: 'ingest, one position a message',
    ours: ingest(1),
    floor: await floorOf(`${address}/healthz`, {}),
    status: 201,
    amount: 2000,
    goal: 0.15,
  },
  {
    name: 'ingest, 25 positions a message',
    ours: ingest(25),
    floor: await floorOf(`${address}/healthz`, {}),
    status: 201,
    amount: 300,
    goal: 0.03,
  },
  {
    name: 'mock server: tracker list, unchanged (200)',
    ours: { url: `${mock.address}/devices/?type=tracker`, headers: { authorization: `Bearer ${mock.token}` } },
    floor: await floorOf(list, headers),
    status: 200,
    amount: 2000,
    goal: 0.5,
  },
  {
    name: 'mock server: ingest, one position a message',
    ours: ingest(1, mock.address),
    floor: await floorOf(`${address}/healthz`, {}),
    status: 201,
    amount: 2000,
    goal: 0.15,
  },
]
for (const row of rows) printResult(await compare(row))
printResult(await measureTiles())
for (const result of await measureReading()) printResult(result)
for (const child of children) child.kill()
for (const line of await measureWorlds()) printMeasurement(line)
process.exit(0)
