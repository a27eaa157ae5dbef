import { parseArgs } from 'node:util'
import { chooseEngine } from '#db/schema/engine.ts'
import { DATABASE_FILENAME, runMain } from '#server/http/process.ts'
import { systemClock } from '#server/ports/clock.ts'
import { readConfig } from './config.ts'

const USAGE = `Usage: node dist/server/move.js [--from FOLDER] [--to postgres://user:password@host/name] [--replace-nul]
Copies the SQLite database of a data folder (DATA_DIR) to an empty PostgreSQL (DATABASE_URL). Run it again after an interruption.
--replace-nul stores U+FFFD where a text has a NUL, which PostgreSQL cannot store.`
/** The target has every table, but not every one is equal. */
const DIFFERENT = 2
const LINE_EVERY_MS = 5000
const BAR_EVERY_MS = 100
const BAR_WIDTH = 30

/** `npm run move -- --from data --to postgres://…`: from SQLite to PostgreSQL; the server must be stopped. */
runMain(async () => {
  const { values } = parseArgs({
    options: { from: { type: 'string' }, to: { type: 'string' }, 'replace-nul': { type: 'boolean' }, help: { type: 'boolean' } },
  })
  const { from, to, 'replace-nul': replacesNul = false } = values
  const { DATA_DIR, DATABASE_URL } = readConfig(process.env)
  const url = to ?? DATABASE_URL
  if (values.help || !url) throw new Error(USAGE)
  chooseEngine(url)
  const { isSame, moveDatabase } = await import('#db/open/move/move.ts')
  const screen = createScreen()
  const tables = await moveDatabase({
    folder: from ?? DATA_DIR,
    filename: DATABASE_FILENAME,
    url,
    now: systemClock.now(),
    replacesNul,
    onProgress: screen.showProgress,
    onVerify: screen.showTable,
  })
  screen.end()
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const width = Math.max(...tables.map(({ name }) => name.length))
  for (const table of tables) {
    const { name, source, target } = table
    const outcome = isSame(table) ? `same ${source.checksum}` : `DIFFERENT: ${target.rows} rows, ${source.checksum} ${target.checksum}`
    print(`${name.padEnd(width)} ${String(source.rows).padStart(12)} rows  ${outcome}`)
  }
  const different = tables.filter((table) => !isSame(table)).length
  print(
    different === 0
      ? `Moved ${tables.length} tables. Start the server with DATABASE_URL, and keep the data folder until it has run for a while.`
      : `${different} tables are different. Empty the target (drop and create the database), and move again.`,
  )
  process.exitCode = different === 0 ? 0 : DIFFERENT
})

type Shown = { table: string; rows: number; total: number; movedOfAll: number; ofAll: number }

/** Shows a progress bar in a terminal; otherwise prints a line per table, and one every few seconds within a table. */
function createScreen() {
  const out = process.stdout
  let first: { movedOfAll: number; at: number } | undefined
  let shown = { table: '', at: 0 }
  const draw = (text: string) => out.write(out.isTTY ? `\r${text.slice(0, out.columns - 1)}\x1b[K` : `${text}\n`)
  return {
    showProgress({ table, rows, total, movedOfAll, ofAll }: Shown) {
      const at = performance.now()
      first ??= { movedOfAll, at }
      if (at - shown.at < (out.isTTY ? BAR_EVERY_MS : LINE_EVERY_MS) && (out.isTTY || shown.table === table)) return
      shown = { table, at }
      const part = ofAll > 0 ? movedOfAll / ofAll : 1
      const perSecond = Math.round((movedOfAll - first.movedOfAll) / Math.max((at - first.at) / 1000, 0.001))
      const numbers = `${Math.floor(part * 100)} %  ${table} ${rows} of ${total}  ${perSecond} rows/s`
      const filled = Math.round(part * BAR_WIDTH)
      draw(out.isTTY ? `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${numbers}` : numbers)
    },
    showTable(table: string) {
      if (out.isTTY) draw(`Comparing ${table}`)
    },
    end() {
      if (out.isTTY) draw('')
    },
  }
}
