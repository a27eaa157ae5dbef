import { parseArgs } from 'node:util'
import { chooseEngine } from '#db/schema/engine.ts'
import { runMain } from '#server/http/process.ts'
import { readConfig } from './config.ts'

const USAGE = `Usage: node dist/server/distribute.js [--to postgres://user:password@coordinator/name] [--shards 32] [--dry-run]
Distributes the tables that grow with positions over the workers of a Citus cluster (DATABASE_URL is its coordinator).
All servers must be stopped. Run it again after an interruption. --dry-run only says what it would do.`
/** Citus recommends two to four for each processor of the largest cluster that is expected; the number is changed later only by moving all rows. */
const SHARDS = 32

runMain(async () => {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, shards: { type: 'string' }, 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } },
  })
  const { DATABASE_URL } = readConfig(process.env)
  const url = values.to ?? DATABASE_URL
  const shards = Number(values.shards ?? SHARDS)
  if (values.help || !url || !Number.isInteger(shards) || shards < 1) throw new Error(USAGE)
  chooseEngine(url)
  const { distributeDatabase } = await import('#db/open/distribute.ts')
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const isDryRun = values['dry-run'] === true
  const plan = await distributeDatabase(url, { shards, isDryRun, onStep: ({ table }) => print(`${table}: distributed`) })
  if (isDryRun) showPlan(plan, print)
  else print(`Distributed over ${plan.workers.length} workers in ${plan.shards} shards. Start the servers.`)
})

type Plan = Awaited<ReturnType<typeof import('#db/open/distribute.ts').distributeDatabase>>

function showPlan({ workers, shards, steps }: Plan, print: (line: string) => void) {
  print(`Workers: ${workers.join(', ')}. Shards: ${shards}.`)
  for (const { table, state, rows, foreignKeys } of steps) {
    const keys = foreignKeys.length > 0 ? `, without the foreign key ${foreignKeys.join(' and ')}` : ''
    print(state === 'done' ? `${table}: already distributed` : `${table}: ${rows} rows would be distributed by tracker${keys}`)
  }
}
