import type { Lab } from '#scripts/bench/lab.ts'
import type { Call } from '#scripts/bench/load.ts'
import { compareMeans } from '#scripts/bench/measure.ts'
import { absolute, atLeast, type Row } from '#scripts/bench/row.ts'
import type { IngestAddress } from '#scripts/bench/servers/ingest.ts'
import { FIRST_IDENTIFIER, REPORTING, WATCHES } from '#scripts/bench/servers/ingest-data.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'

const FIRST_SECOND = Date.parse('2026-01-01T00:00:00Z')
const CONNECTIONS = 64
/** Rounds per variant: enough for commits, checkpoints and garbage collection to enter the mean. */
const ROUNDS = 20

/** Messages of trackers in turn; every fix is newer than the last one of its tracker. */
function createMessages(positions: number) {
  let count = 0
  return () => {
    const [tracker, turn] = [count % REPORTING, Math.floor(count / REPORTING)]
    count++
    return JSON.stringify({
      identifier: String(FIRST_IDENTIFIER + tracker),
      battery: 80,
      positions: Array.from({ length: positions }, (_, index) => ({
        lat: -34.9 + tracker / 1e4,
        lng: -56.2 + ((turn * positions + index) % 1000) / 1e4,
        precision: 6,
        datetime: new Date(FIRST_SECOND + (turn * positions + index) * 1000).toISOString(),
      })),
    })
  }
}

/** Each tracker's fixes continue where the previous row stopped. */
const messages = new Map<string, () => string>()
function nextMessage(url: string, positions: number) {
  const key = `${url} ${positions}`
  const next = messages.get(key) ?? createMessages(positions)
  messages.set(key, next)
  return next
}

async function callOf(lab: Lab, choose: (at: IngestAddress) => string, positions = 1): Promise<Call> {
  const { address } = await lab.start<IngestAddress>('ingest')
  const url = choose(address)
  const headers = { 'x-device-key': DEVICE_KEY }
  return { method: 'POST', url, pid: address.pid, headers, status: 201, body: nextMessage(url, positions) }
}

const compareCalls = (ours: Call, floor: Call) => compareMeans({ ours, floor, connections: CONNECTIONS, rounds: ROUNDS })

const row = (id: string, name: string, floor: string, goal: number, measure: Row['measure']): Row => ({
  id,
  name,
  floor,
  goal: atLeast(goal),
  measure,
})

/** Positions of a sender that collects several before it sends them, such as a phone. */
const COLLECTED = 25

export const ingestRows: Row[] = [
  row('I1', 'a position a message: parsed and authenticated only', 'node:http, reads the request', 0.45, async (lab) => {
    const ours = await callOf(lab, ({ parseOnly }) => parseOnly)
    const { status: _, ...floor } = { ...ours, ...(await lab.floorOf(Buffer.from('{"accepted":1,"ignored":0}'))) }
    return compareCalls(ours, floor)
  }),
  row('I2', 'a position a message, on disk when answered', 'parsed and authenticated only', 0.5, async (lab) =>
    compareCalls(await callOf(lab, ({ ours }) => ours), await callOf(lab, ({ parseOnly }) => parseOnly)),
  ),
  row('I4', 'a position a message, on disk when answered', 'a transaction per message, synchronous = FULL', 3, async (lab) =>
    compareCalls(await callOf(lab, ({ ours }) => ours), await callOf(lab, ({ each }) => each)),
  ),
  row('I6', `positions a second in messages of ${COLLECTED}, on disk when answered`, 'nothing', 100_000, async (lab) => {
    const { ours } = await compareCalls(await callOf(lab, ({ ours: url }) => url, COLLECTED), await callOf(lab, ({ ours: url }) => url))
    return absolute(ours.value * COLLECTED, '/s')
  }),
  row('I7', `a position a message of trackers with ${WATCHES} alerts each`, 'of trackers without alerts', 0.77, async (lab) =>
    compareCalls(await callOf(lab, ({ watched }) => watched), await callOf(lab, ({ ours }) => ours)),
  ),
]
