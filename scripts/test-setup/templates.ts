import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { testCity } from '#server/mock/city/testing.ts'
import { buildTemplate } from '#server/mock/seed/template.ts'
import { ANCHOR, programsOf, TEMPLATE_FILE } from '#server/test/test-files.ts'

/** Once before the test workers: the demo city and the seeded template that every test's world is cloned from. */
export default async function setup() {
  mkdirSync(path.dirname(TEMPLATE_FILE), { recursive: true })
  const made = `${TEMPLATE_FILE}.${process.pid}`
  writeFileSync(made, await buildTemplate({ anchor: ANCHOR, seed: 1, city: await testCity() }))
  renameSync(made, TEMPLATE_FILE) // two runs side by side never read half a file
  return () => rmSync(programsOf(process.pid), { recursive: true, force: true })
}
