/** Runs all static checks, or the named ones: `npm run check -- locales sizes`. */
import { projectFiles } from '#scripts/check/files.ts'
import { runChecks } from '#scripts/check/run.ts'
import { stepsOver } from '#scripts/check/steps.ts'

/** Printed problems per check. */
const SHOWN = 60

const steps = stepsOver(projectFiles())
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in steps))
if (unknown.length > 0) {
  console.error(`check: no check ${unknown.join(', ')}; there are ${Object.keys(steps).join(', ')}`)
  process.exit(1)
}

const chosen = Object.fromEntries(Object.entries(steps).filter(([name]) => asked.length === 0 || asked.includes(name)))
const results = await runChecks(chosen, 2, console.log)
const failed = results.filter(({ finding }) => finding.problems.length > 0)
for (const { name, finding } of failed) {
  console.error(`\n${name}: ${finding.problems.length} to mend`)
  for (const problem of finding.problems.slice(0, SHOWN)) console.error(`  ${problem}`)
  if (finding.problems.length > SHOWN) console.error(`  … and ${finding.problems.length - SHOWN} more`)
}
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.map(({ name }) => name).join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
