import { compareMeans } from '#scripts/bench/measure.ts'
import { atLeast, type MeasuredRow, type Row } from '#scripts/bench/row.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'

const FIRST_SECOND = Date.parse('2026-01-01T00:00:00Z')
let second = 0

const message = (positions: number) => () =>
  JSON.stringify({
    identifier: '1000000007',
    positions: Array.from({ length: positions }, (_, index) => ({
      lat: -34.9,
      lng: -56.2 + (index % 10) / 1e4,
      precision: 6,
      datetime: new Date(FIRST_SECOND + second++ * 1000).toISOString(),
    })),
  })

const ingest = (positions: number, goal: number): MeasuredRow => ({
  id: `I0/${positions}`,
  name: `positions a second, ${positions} a message, synchronous = FULL`,
  floor: 'node:http, reads the request',
  goal: atLeast(goal),
  async measure(lab) {
    const { url, pid } = await lab.portal()
    const call = { method: 'POST', headers: { 'x-device-key': DEVICE_KEY }, body: message(positions) }
    const ours = { ...call, pid, url: `${url}/devices/ingest/`, status: 201 }
    const floor = await lab.floorOf(Buffer.from('{"accepted":1,"ignored":0}'))
    return compareMeans({ ours, floor: { ...call, ...floor }, each: positions, connections: 64 })
  },
})

export const ingestRows: Row[] = [ingest(1, 0.05), ingest(25, 0.03)]
