import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '#server/test/postgres/start-postgres.ts'
import { ANCHOR } from '#server/test/test-files.ts'
import { buildOnce } from './build-once.ts'
import { listImported } from './imports.ts'
import { templateFile } from './template-file.ts'
import buildFamily, { listTemplateSources } from './templates.ts'

/** The scenarios, other than `family`, of tests that run on PostgreSQL. */
const SCENARIOS = ['second_factor'] as const

const buildScenario = (scenario: (typeof SCENARIOS)[number]) =>
  buildOnce(`${scenario}.db`, [...listTemplateSources(), ...listImported(['scripts/test-setup/postgres.ts'])], async (file) => {
    const { openTestCity } = await import('#server/mock/city/testing.ts')
    const { createTemplates, readTemplate } = await import('#server/mock/worlds/templates.ts')
    const templates = createTemplates(await openTestCity(), '.cache/worlds')
    writeFileSync(file, readTemplate(await templates({ anchor: ANCHOR, seed: 1, scenario })))
  })

/** Runs once before the tests on PostgreSQL: starts it, and fills the databases that they copy. */
export default async function setup(project: TestProject) {
  const cleanUp = await buildFamily()
  const made = [`family=${templateFile()}`, 'empty=']
  for (const scenario of SCENARIOS) made.push(`${scenario}=${await buildScenario(scenario)}`)
  const server = await startPostgres({ version: project.config.env?.TEST_POSTGRES_VERSION })
  try {
    const args = ['--import', 'tsx', 'server/test/postgres/fill-template.ts', '--restorable', server.url, ...made]
    execFileSync(process.execPath, args, { stdio: 'inherit' })
  } catch (error) {
    await server.stop()
    throw error
  }
  project.provide('postgresUrl', server.url)
  return async () => {
    await server.stop()
    cleanUp()
  }
}
