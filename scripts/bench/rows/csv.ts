import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { migrate, openSqlite } from '#db/sqlite/open.ts'
import { bundleServer, type Lab } from '#scripts/bench/lab.ts'
import { atMost, compareFigures, type Row } from '#scripts/bench/row.ts'
import { createTrack } from '#scripts/bench/servers/bench-data.ts'
import type { ExportReport, ExportRequest } from '#scripts/bench/servers/export.ts'

const MILLION = 1_000_000
const FEW = 100_000
/** Trackers with a million and with a hundred thousand positions. */
const DEVICES = { [MILLION]: 1, [FEW]: 2 } as const
const STEP = 26

/** Writes a database with two long histories. */
function writeFile(lab: Lab) {
  const db = openSqlite(path.join(lab.folder, 'export.db'))
  migrate(db)
  const insert = db.raw.prepare('insert into positions (device_id, time, lat, lng, precision, event, battery) values (?, ?, ?, ?, ?, ?, ?)')
  db.raw.transaction(() => {
    for (const [rows, device] of Object.entries(DEVICES)) {
      const next = createTrack()
      for (let n = 0; n < Number(rows); n++) {
        const { lat, lng, precision, event, battery } = next()
        insert.run(device, 1_740_000_000 + n * STEP, lat, lng, precision, event, battery)
      }
    }
  })()
  db.raw.pragma('wal_checkpoint(TRUNCATE)')
  void db.close()
}

/** Exports in a process that has done nothing before, because memory is rarely given back. Returns its peak in MB. */
async function measurePeak(lab: Lab, rows: keyof typeof DEVICES) {
  const child = fork(await bundleServer('export', lab.folder), [lab.folder])
  await once(child, 'message')
  child.send({ device: DEVICES[rows] } satisfies ExportRequest)
  const [{ peakMb }] = (await once(child, 'message')) as [ExportReport]
  child.kill()
  return peakMb
}

export const csv: Row[] = [
  {
    id: 'C2',
    name: 'peak memory of a csv of a million rows',
    floor: 'of 100,000 rows',
    goal: atMost(1.2),
    tier: 'all',
    async measure(lab) {
      writeFile(lab)
      return compareFigures(await measurePeak(lab, MILLION), await measurePeak(lab, FEW), 'MB')
    },
  },
]
