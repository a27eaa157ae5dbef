/**
 * Drives production servers that share one PostgreSQL: `npm run load -- --processes 1,2,4`. `--millions 1,20` instead drives one server while
 * the table of positions grows. `--months 2` measures, without a server, to pack and to remove months of two million positions.
 */
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { chooseEngine } from '#db/schema/engine.ts'
import type { Rate } from '#scripts/bench/engines.ts'
import setup from '#scripts/test-setup/templates.ts'
import { programsFolder } from '#server/test/test-files.ts'

const { values } = parseArgs({
  options: { processes: { type: 'string', default: '1,2' }, millions: { type: 'string' }, months: { type: 'string' } },
})
const OTHERS = 'Servers, database and the sender share the processors of this machine.'
if (values.months) {
  chooseEngine('postgres://')
  const { formatMonths, measureMonths } = await import('#scripts/bench/months.ts')
  console.log(`${formatMonths(await measureMonths(Number(values.months)))}\n\n${OTHERS}`)
  process.exit()
}
const { addMillions, formatRates, measurePortal, openPostgresPortal } = await import('#scripts/bench/engines.ts')
const listNumbers = (text: string) => text.split(',').map(Number)
await setup()
const runs: Record<string, Rate[]> = {}
if (values.millions) {
  const portal = await openPostgresPortal(1)
  let reached = 0
  for (const millions of listNumbers(values.millions)) {
    console.error(`Adding positions until there are ${millions} million`)
    await addMillions(portal, reached, millions)
    reached = millions
    console.error('Measuring')
    runs[`${millions} million`] = await measurePortal(portal, { names: /day, compact|messages of/, roundMs: 4000 })
  }
  await portal.close()
} else
  for (const count of listNumbers(values.processes)) {
    const portal = await openPostgresPortal(count)
    runs[count === 1 ? '1 process' : `${count} processes`] = await measurePortal(portal)
    await portal.close()
  }
console.log(formatRates(runs))
console.log(`\n${OTHERS}`)
rmSync(programsFolder(process.ppid), { recursive: true, force: true })
process.exit()
