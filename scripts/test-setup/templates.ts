import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openTestCity } from '#server/mock/city/testing.ts'
import { buildTemplate } from '#server/mock/seed/template.ts'
import { ANCHOR, programsFolder, TEMPLATE_FILE } from '#server/test/test-files.ts'

/** Runs once before the test workers: builds the demo city and the seeded template that every test world is cloned from. */
export default async function setup() {
  mkdirSync(path.dirname(TEMPLATE_FILE), { recursive: true })
  const made = `${TEMPLATE_FILE}.${process.pid}`
  writeFileSync(made, await buildTemplate({ anchor: ANCHOR, seed: 1, city: await openTestCity() }))
  renameSync(made, TEMPLATE_FILE) // two parallel runs never read half a file
  return () => rmSync(programsFolder(process.pid), { recursive: true, force: true })
}
