import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { openTestCity } from '#server/mock/city/testing.ts'
import { createTemplates, readTemplate } from '#server/mock/worlds/templates.ts'
import { startPostgres } from '#server/test/postgres/start-postgres.ts'
import { ANCHOR, TEMPLATE_FILE } from '#server/test/test-files.ts'
import buildTemplates from './templates.ts'

/** The scenarios, other than `family`, of tests that run on PostgreSQL. */
const SCENARIOS = ['second_factor'] as const

/** Runs once before the tests on PostgreSQL: starts it, and fills the databases that they copy. */
export default async function setup(project: TestProject) {
  const cleanUp = await buildTemplates()
  const templates = createTemplates(await openTestCity(), '.cache/worlds')
  const made = [`family=${TEMPLATE_FILE}`, 'empty=']
  for (const scenario of SCENARIOS) {
    const file = `.cache/${scenario}.db`
    writeFileSync(file, readTemplate(await templates({ anchor: ANCHOR, seed: 1, scenario })))
    made.push(`${scenario}=${file}`)
  }
  const server = await startPostgres({ version: project.config.env?.TEST_POSTGRES_VERSION })
  try {
    const args = ['--import', 'tsx', 'server/test/postgres/fill-template.ts', server.url, ...made]
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
