/**
 * Runs all static checks, or the named ones: `npm run check -- locales bars`. With `--fix` it first corrects everything that a tool can
 * correct.
 */

import { createChecks } from '#scripts/check/checks.ts'
import { checkDecisions } from '#scripts/check/decisions/decisions.ts'
import { readProjectFiles } from '#scripts/check/files.ts'
import { checkSubjects } from '#scripts/check/repository/subjects.ts'
import { checkWorkflows } from '#scripts/check/repository/workflows.ts'
import { runChecks } from '#scripts/check/runner.ts'
import { runTool } from '#scripts/check/tools.ts'
import { checkArchitecture } from '#scripts/docs/architecture.ts'

const MAX_SHOWN = 60

/** Corrections by the name of the check that would report them. */
const FIXES: Record<string, () => Promise<unknown>> = {
  openapi: async () => (await import('#scripts/openapi/write-openapi.ts')).writeOpenapi(),
  drawing: () => runTool('tsx', ['scripts/docs/architecture.ts']),
  // Last, because it formats the output of the others.
  lint: () => runTool('biome', ['check', '--write', '.']),
}

const asked = process.argv.slice(2).filter((argument) => argument !== '--fix')
const isAsked = (name: string) => asked.length === 0 || asked.includes(name)
if (process.argv.includes('--fix')) for (const [name, fix] of Object.entries(FIXES)) if (isAsked(name)) await fix()

const files = readProjectFiles()
const checks = {
  ...createChecks(files),
  decisions: () => checkDecisions(files),
  drawing: () => checkArchitecture(files),
  workflows: () => checkWorkflows(files),
  subjects: () => checkSubjects(),
}
const unknown = asked.filter((name) => !(name in checks))
if (unknown.length > 0) {
  console.error(`check: unknown check ${unknown.join(', ')}; available: ${Object.keys(checks).join(', ')}`)
  process.exit(1)
}

const chosen = Object.fromEntries(Object.entries(checks).filter(([name]) => isAsked(name)))
const results = await runChecks(chosen, 2, console.log)
const failed = results.filter(({ finding }) => finding.problems.length > 0)
for (const { name, finding } of failed) {
  console.error(`\n${name}: ${finding.problems.length === 1 ? '1 problem' : `${finding.problems.length} problems`}`)
  for (const problem of finding.problems.slice(0, MAX_SHOWN)) console.error(`  ${problem}`)
  if (finding.problems.length > MAX_SHOWN) console.error(`  … and ${finding.problems.length - MAX_SHOWN} more`)
}
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.map(({ name }) => name).join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
