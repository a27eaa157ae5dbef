import * as z from 'zod/mini'
import { Device } from '#contracts/trackers/devices.ts'
import type { Lab } from '#scripts/bench/lab.ts'
import { compareRates, compareTimes } from '#scripts/bench/measure.ts'
import { atLeast, atMost, type MeasuredRow, type Row } from '#scripts/bench/row.ts'
import { type FLEETS, firstOfFleet, MONTH_DEVICE } from '#scripts/bench/servers/bench-data.ts'
import type { IdiomaticAddress } from '#scripts/bench/servers/idiomatic.ts'
import { compileSchema } from '#server/http/serve.ts'

const CONNECTIONS = 32
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function smallRequest(lab: Lab) {
  const { url, pid, token } = await lab.portal()
  return { pid, url: `${url}/devices/${MONTH_DEVICE}/tracker_status/`, headers: bearer(token) }
}

async function listRequest(lab: Lab, size: (typeof FLEETS)[number]) {
  const { url, pid, fleets } = await lab.portal()
  return { pid, url: `${url}/devices/?type=tracker`, headers: bearer(fleets[size]) }
}

/** The server marks one tracker as changed before it builds the list again. */
const asChanged = (size: number) => ({ 'x-bench-changed': `${firstOfFleet(size)}:${firstOfFleet(size)}` })

const composedList = (size: 100 | 1000 | 10_000, goal: number): MeasuredRow => ({
  id: `H4/${size}`,
  name: `list of ${size} trackers after one has changed`,
  floor: 'node:http, same bytes',
  goal: atLeast(goal),
  async measure(lab) {
    const call = await listRequest(lab, size)
    const floor = await lab.floorOf(call.url, call.headers)
    const ours = { ...call, headers: { ...call.headers, ...asChanged(size) } }
    return compareRates({ ours, floor, connections: size < 1000 ? 16 : 1 })
  },
})

const cachedList = (size: (typeof FLEETS)[number], goal: number): MeasuredRow => ({
  id: `H3/${size}`,
  name: `list of ${size} trackers, unchanged`,
  floor: 'node:http, same bytes',
  goal: atLeast(goal),
  tier: size === 20 || size === 10_000 ? 'quick' : 'all',
  async measure(lab) {
    const ours = await listRequest(lab, size)
    const floor = await lab.floorOf(ours.url, ours.headers)
    return compareRates({ ours, floor, connections: size < 1000 ? 16 : 1 })
  },
})

export const http: Row[] = [
  {
    id: 'H1',
    name: 'small signed-in request',
    floor: 'node:http, same bytes',
    goal: atLeast(0.7),
    async measure(lab) {
      const ours = await smallRequest(lab)
      return compareRates({ ours, floor: await lab.floorOf(ours.url, ours.headers), connections: CONNECTIONS })
    },
  },
  {
    id: 'H2',
    name: 'small signed-in request',
    floor: 'fastify with cookie, helmet, rate-limit, zod provider',
    goal: atLeast(2),
    async measure(lab) {
      const { address } = await lab.start<IdiomaticAddress>('idiomatic')
      return compareRates({ ours: await smallRequest(lab), floor: { url: address.small, pid: address.pid }, connections: CONNECTIONS })
    },
  },
  cachedList(20, 0.7),
  cachedList(100, 0.7),
  cachedList(1000, 0.7),
  cachedList(10_000, 0.7),
  composedList(100, 0.5),
  composedList(1000, 0.5),
  composedList(10_000, 0.25),
  {
    id: 'H5',
    name: 'list of 20 trackers, not modified (304)',
    floor: 'node:http, two bytes',
    goal: atLeast(0.85),
    async measure(lab) {
      const call = await listRequest(lab, 20)
      const etag = (await fetch(call.url, { headers: call.headers })).headers.get('etag')!
      const ours = { ...call, headers: { ...call.headers, 'if-none-match': etag }, status: 304 }
      return compareRates({ ours, floor: await lab.floorOf(Buffer.from('ok')) })
    },
  },
  {
    id: 'H6',
    name: 'list of 100 trackers after one has changed',
    floor: 'drizzle query builder and zod provider, same list',
    goal: atLeast(10),
    async measure(lab) {
      const { address } = await lab.start<IdiomaticAddress>('idiomatic')
      const call = await listRequest(lab, 100)
      return compareRates({
        ours: { ...call, headers: { ...call.headers, ...asChanged(100) } },
        floor: { url: address.list, pid: address.pid },
      })
    },
  },
  {
    id: 'H7',
    name: '1,000 trackers checked against the contract and written as JSON',
    floor: 'JSON.stringify',
    goal: atMost(1.15),
    async measure(lab) {
      const call = await listRequest(lab, 1000)
      const devices: unknown = await (await fetch(call.url, { headers: call.headers })).json()
      const schema = z.array(Device)
      return compareTimes({
        ours: () => JSON.stringify(z.parse(compileSchema(schema), devices)),
        floor: () => JSON.stringify(devices),
        rounds: 60,
      })
    },
  },
]
