import { rmSync } from 'node:fs'
import { formatCosts, formatRates, measurePortal, openPostgresPortal, openSqlitePortal, type Rate } from '#scripts/bench/engines.ts'
import { createLab } from '#scripts/bench/lab.ts'
import { pin } from '#scripts/bench/machine.ts'
import { HELP, type Options, readOptions, selectRows } from '#scripts/bench/options.ts'
import { concludeRow, formatConclusion, formatHeader, formatListed, formatRow, type Result } from '#scripts/bench/report.ts'
import type { Row } from '#scripts/bench/row.ts'
import { families } from '#scripts/bench/rows/families.ts'
import setup from '#scripts/test-setup/templates.ts'
import { programsFolder } from '#server/test/test-files.ts'

async function run(rows: Row[], options: Options) {
  await setup()
  const lab = createLab(options)
  pin(process.pid, 1)
  try {
    const results: Result[] = []
    console.log(formatHeader())
    for (const row of rows) {
      const result = concludeRow(row, await row.measure(lab))
      results.push(result)
      console.log(formatRow(result))
    }
    console.log(`\n${formatConclusion(results)}`)
    return results.every(({ verdict }) => verdict === 'ok') ? 0 : 1
  } finally {
    lab.close()
  }
}

/** Both engines with durable commits, each in a process of its own. */
async function compareEngines({ only }: Options) {
  await setup()
  const runs: Record<string, Rate[]> = {}
  for (const [name, open] of [
    ['SQLite', openSqlitePortal],
    ['PostgreSQL', () => openPostgresPortal(1)],
  ] as const) {
    const portal = await open()
    runs[name] = await measurePortal(portal, { names: new RegExp(only.join('|')) })
    await portal.close()
  }
  rmSync(programsFolder(process.ppid), { recursive: true, force: true })
  console.log(`${formatRates(runs)}\n\n${formatCosts(runs)}`)
  return 0
}

const options = readOptions(process.argv.slice(2))
if (options.help) console.log(HELP)
else if (options.list) for (const row of Object.values(families).flat()) console.log(formatListed(row))
else if (options.postgres) process.exitCode = await compareEngines(options)
else process.exitCode = await run(selectRows(families, options), options)
process.exit()
