import path from 'node:path'
import { findNoAddress } from '#db/addresses.ts'
import { connect } from '#db/sqlite/driver.ts'
import { sqlitePositions } from '#db/sqlite/positions.ts'
import { historyCsv } from '#server/tracking/history/csv.ts'

/** Exports the whole history of a tracker in the file `export.db`; without a geocoder, as in production. */
export type ExportRequest = { device: number }
export type ExportReport = { peakMb: number }

const db = connect(path.join(process.argv[2]!, 'export.db'), { readonly: true })
const positions = sqlitePositions(db, db, async (read) => read())
const geocode = { search: () => [], nearest: findNoAddress }
const always = { from: new Date(0), to: new Date(4_000_000_000_000) }

process.on('message', async ({ device }: ExportRequest) => {
  let peak = process.memoryUsage.rss()
  for await (const _ of historyCsv({ positions, geocode }, device, always)) peak = Math.max(peak, process.memoryUsage.rss())
  process.send?.({ peakMb: peak / 1e6 } satisfies ExportReport)
})
process.send?.(process.pid)
