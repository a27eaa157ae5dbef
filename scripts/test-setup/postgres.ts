import { execFileSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '#server/test/postgres/start-postgres.ts'
import buildTemplates from './templates.ts'

/** Runs once before the tests on PostgreSQL: starts it, and fills the database that they copy. */
export default async function setup(project: TestProject) {
  const cleanUp = await buildTemplates()
  const server = await startPostgres()
  execFileSync(process.execPath, ['--import', 'tsx', 'server/test/postgres/fill-template.ts', server.url, 'family'], { stdio: 'inherit' })
  project.provide('postgresUrl', server.url)
  return async () => {
    await server.stop()
    cleanUp()
  }
}
