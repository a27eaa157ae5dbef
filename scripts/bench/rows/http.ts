import * as z from 'zod/mini'
import { Device } from '#contracts/trackers/devices.ts'
import type { Lab } from '#scripts/bench/lab.ts'
import { compareRates, compareTimes } from '#scripts/bench/measure.ts'
import { atLeast, atMost, type Row } from '#scripts/bench/row.ts'
import { type FLEETS, firstOfFleet, MONTH_DEVICE } from '#scripts/bench/servers/bench-data.ts'
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
    id: 'H3/100',
    name: 'list of 100 trackers, unchanged',
    floor: 'node:http, same bytes',
    goal: atLeast(0.7),
    async measure(lab) {
      const ours = await listRequest(lab, 100)
      return compareRates({ ours, floor: await lab.floorOf(ours.url, ours.headers) })
    },
  },
  {
    id: 'H4/1000',
    name: 'list of 1,000 trackers after one has changed',
    floor: 'node:http, same bytes',
    goal: atLeast(0.5),
    async measure(lab) {
      const call = await listRequest(lab, 1000)
      const floor = await lab.floorOf(call.url, call.headers)
      return compareRates({ ours: { ...call, headers: { ...call.headers, ...asChanged(1000) } }, floor, connections: 1 })
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
