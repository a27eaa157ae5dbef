import { execFileSync, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { migrate, openSqlite } from '#db/sqlite/open.ts'
import { bundleServer, type Lab } from '#scripts/bench/lab.ts'
import { alternate, compareRates } from '#scripts/bench/measure.ts'
import { absolute, atLeast, atMost, compareFigures, type MeasuredRow, type Outcome, type Row } from '#scripts/bench/row.ts'
import { createTrack, MONTH_DEVICE, period } from '#scripts/bench/servers/bench-data.ts'
import type { ExportReport, ExportRequest } from '#scripts/bench/servers/export.ts'

const MILLION = 1_000_000
const FEW = 100_000
/** Trackers with a million and with a hundred thousand positions. */
const DEVICES = { [MILLION]: 1, [FEW]: 2 } as const
const STEP = 26
const ROUNDS = 3

/** A database with long histories; created once per run. */
const files = new WeakMap<Lab, string>()
function ensureFile(lab: Lab) {
  const known = files.get(lab)
  if (known) return known
  const file = path.join(lab.folder, 'export.db')
  const db = openSqlite(file)
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
  files.set(lab, file)
  return file
}

/** Exports in a warmed-up process. */
async function exportWarm(lab: Lab) {
  ensureFile(lab)
  const server = await lab.start<number>('export')
  const report = once(server.process, 'message')
  server.send({ device: DEVICES[MILLION] } satisfies ExportRequest)
  return ((await report) as [ExportReport])[0]
}

/** Exports in a fresh process, because memory is rarely returned to the system. */
async function exportFresh(lab: Lab, rows: keyof typeof DEVICES) {
  ensureFile(lab)
  const child = fork(await bundleServer('export', lab.folder), [lab.folder])
  await once(child, 'message')
  child.send({ device: DEVICES[rows] } satisfies ExportRequest)
  const [report] = (await once(child, 'message')) as [ExportReport]
  child.kill()
  return report
}

const EVENT_NAMES = "case event when 1 then 'moving' end"
const AS_STORED = 'select time, lat, lng, precision, event, battery'
const AS_EXPORTED = `select strftime('%Y-%m-%dT%H:%M:%SZ', time, 'unixepoch'), printf('%.7f', lat / 1e7), printf('%.7f', lng / 1e7), precision, '', ${EVENT_NAMES}, battery`

/** CPU seconds that the sqlite3 command line takes to write the rows as csv. */
function timeCommandLine(file: string, columns: string) {
  const query = `${columns} from positions where device_id = ${DEVICES[MILLION]} order by time`
  const script = 'TIMEFORMAT="%U %S"; { time sqlite3 -readonly -csv "$0" "$1" > /dev/null; } 2>&1'
  const [user = 0, system = 0] = execFileSync('bash', ['-c', script, file, query]).toString().trim().split(' ').map(Number)
  return user + system
}

async function compareWithCommandLine(lab: Lab, columns: string): Promise<Outcome> {
  const file = ensureFile(lab)
  const [ours, floor] = await alternate(ROUNDS, [
    async () => (await exportWarm(lab)).cpuSeconds,
    async () => timeCommandLine(file, columns),
  ])
  return compareFigures(MILLION / Math.min(...ours!), MILLION / Math.min(...floor!), ' rows/s')
}

const toTheCommandLine = (id: string, name: string, columns: string, goal: number): Row =>
  hasCommandLine()
    ? { id, name, floor: 'sqlite3 -csv', goal: atLeast(goal), tier: 'all', measure: (lab) => compareWithCommandLine(lab, columns) }
    : { id, name, omitted: 'the sqlite3 command line is not installed' }

function hasCommandLine() {
  return spawnSync('sqlite3', ['--version'], { stdio: 'ignore' }).status === 0
}

const ofMemory = (id: string, name: string, floor: string, most: number, measure: MeasuredRow['measure']): MeasuredRow => ({
  id,
  name,
  floor,
  goal: atMost(most),
  tier: 'all',
  measure,
})

export const csv: Row[] = [
  {
    id: 'C0',
    name: 'csv of a day',
    floor: 'node:http, same bytes',
    goal: atLeast(0.04),
    measure: (lab) => compareExport(lab, 1),
  },
  toTheCommandLine('C1/same', 'csv of a million rows', AS_EXPORTED, 1.5),
  // Reading a row into JavaScript takes two thirds of the time in which the command line reads and writes it; only chunks can be faster.
  toTheCommandLine('C1/stored', 'csv of a million rows, against whole numbers as they are stored', AS_STORED, 0.45),
  ofMemory('C2', 'peak memory of a csv of a million rows', 'of 100,000 rows', 1.2, async (lab) =>
    compareFigures((await exportFresh(lab, MILLION)).peakMb, (await exportFresh(lab, FEW)).peakMb, 'MB'),
  ),
  ofMemory('C2/base', 'memory above that of the idle process', 'nothing', 150, async (lab) => {
    const { peakMb, idleMb } = await exportFresh(lab, MILLION)
    return absolute(peakMb - idleMb, 'MB')
  }),
]

async function compareExport(lab: Lab, days: number) {
  const { url, pid, token } = await lab.portal()
  const headers = { authorization: `Bearer ${token}` }
  const ours = { pid, headers, url: `${url}/devices/${MONTH_DEVICE}/tracker_data/export_csv/?${period(days)}` }
  // An account generates one file at a time.
  return compareRates({ ours, floor: await lab.floorOf(ours.url, headers), connections: 1 })
}
