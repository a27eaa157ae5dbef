import { rmSync } from 'node:fs'
import { formatRates, measurePortal, openPostgresPortal, openSqlitePortal, type Rate } from '#scripts/bench/engines.ts'
import { createLab, type Lab } from '#scripts/bench/lab.ts'
import { openLoad } from '#scripts/bench/load.ts'
import { pin, watchMachine } from '#scripts/bench/machine.ts'
import { FAST_END, measureCpuRate, quantile } from '#scripts/bench/measure.ts'
import { HELP, type Options, readOptions, selectRows } from '#scripts/bench/options.ts'
import { concludeRow, exitCode, formatConclusion, formatHeader, formatListed, formatRow, type Result } from '#scripts/bench/report.ts'
import type { MeasuredRow, Row } from '#scripts/bench/row.ts'
import { families } from '#scripts/bench/rows/families.ts'
import setup from '#scripts/test-setup/templates.ts'
import { programsFolder } from '#server/test/test-files.ts'

const HELLO_ROUNDS = 8

/** Hello requests per second of CPU time of the floor, at the fast end. */
async function calibrate(lab: Lab) {
  const load = await openLoad(await lab.floorOf(Buffer.from('ok')), 16)
  const rates: number[] = []
  for (let round = 0; round < HELLO_ROUNDS; round++) rates.push(await measureCpuRate(load))
  load.close()
  return quantile(rates, FAST_END)
}

/** Repeats the measurement of a row when the machine was too busy to judge it. */
async function runRow(row: MeasuredRow, lab: Lab): Promise<Result> {
  const result = concludeRow(row, await row.measure(lab))
  return result.verdict === 'unsteady' ? concludeRow(row, await row.measure(lab)) : result
}

async function run(rows: Row[], options: Options) {
  await setup()
  const lab = createLab(options)
  pin(process.pid, 1)
  try {
    const machine = watchMachine()
    const before = await calibrate(lab)
    const results: Result[] = []
    console.log(formatHeader())
    for (const row of rows) {
      if ('omitted' in row) {
        console.log(formatListed(row))
        continue
      }
      machine.look()
      const result = await runRow(row, lab)
      results.push(result)
      console.log(formatRow(result))
    }
    const calibration: [number, number] = [before, await calibrate(lab)]
    console.log(`\n${formatConclusion(results, calibration, machine.report())}`)
    return exitCode(results, calibration)
  } finally {
    lab.close()
  }
}

/** Both engines with durable commits, each in a process of its own. */
async function compareEngines() {
  await setup()
  const runs: Record<string, Rate[]> = {}
  for (const [name, open] of [
    ['SQLite', openSqlitePortal],
    ['PostgreSQL', () => openPostgresPortal(1)],
  ] as const) {
    const portal = await open()
    runs[name] = await measurePortal(portal)
    await portal.close()
  }
  rmSync(programsFolder(process.ppid), { recursive: true, force: true })
  console.log(formatRates(runs))
  return 0
}

const options = readOptions(process.argv.slice(2))
if (options.help) console.log(HELP)
else if (options.list) for (const row of Object.values(families).flat()) console.log(formatListed(row))
else if (options.postgres) process.exitCode = await compareEngines()
else process.exitCode = await run(selectRows(families, options), options)
process.exit()
