import { setImmediate } from 'node:timers/promises'
import { createTrackEncoder } from '#contracts/track/codec.ts'
import type { History } from './history.ts'
import { type Period, periodSeconds } from './period.ts'
import { presentCompactPoint } from './positions.present.ts'

/** Rows between two yields to the event loop: about a millisecond. */
const ROWS_AT_ONCE = 500

/** Streams the positions of a period in the compact form of `contracts/track/codec.ts`, block by block. */
export async function* encodeHistory({ positions, geocode }: History, deviceId: number, period: Period): AsyncGenerator<Uint8Array> {
  const { first, last } = periodSeconds(period)
  const { encode, end } = createTrackEncoder()
  for (let from = first; ; ) {
    const rows = await positions.range(deviceId, from, last, ROWS_AT_ONCE, 0)
    yield encode(rows.map((row) => presentCompactPoint(deviceId, row, geocode)))
    if (rows.length < ROWS_AT_ONCE) return yield end()
    from = (rows.at(-1)?.time ?? last) + 1
    await setImmediate()
  }
}
