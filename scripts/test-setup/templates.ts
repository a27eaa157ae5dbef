import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { ANCHOR, programsFolder } from '#server/test/test-files.ts'
import { buildOnce } from './build-once.ts'
import { listImported } from './imports.ts'

/** Lists all that a template is made from: what this file imports, and the migrations. */
export const listTemplateSources = () => [
  ...listImported(['scripts/test-setup/templates.ts']),
  ...readdirSync('db/migrations', { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`),
]

async function buildFamily(file: string) {
  const { buildTemplate } = await import('#server/mock/seed/template.ts')
  const { openTestCity } = await import('#server/mock/city/testing.ts')
  writeFileSync(file, await buildTemplate({ anchor: ANCHOR, seed: 1, city: await openTestCity() }))
}

/** Runs once before the test workers: names the seeded template that every test world is cloned from, and builds it where it is missing. */
export default async function setup() {
  process.env.TEMPLATE_FILE = await buildOnce('family.db', listTemplateSources(), buildFamily)
  return () => rmSync(programsFolder(process.pid), { recursive: true, force: true })
}
