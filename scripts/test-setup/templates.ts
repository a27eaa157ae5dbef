import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildCity } from '#db/city/build.ts'
import { openCity } from '#db/city/open.ts'
import { ANCHOR, CITY_DIR, TEMPLATE_FILE } from '#server/mock/test-files.ts'

/** Once before the test workers: the demo city and the seeded template that every test's world is cloned from. */
export default async function setup() {
  if (!existsSync(CITY_DIR)) await buildCity(CITY_DIR)
  if (!existsSync('db/seed/template.ts')) return
  const { buildTemplate } = await import('#db/seed/template.ts')
  mkdirSync(path.dirname(TEMPLATE_FILE), { recursive: true })
  writeFileSync(TEMPLATE_FILE, await buildTemplate({ anchor: ANCHOR, seed: 1, city: openCity(CITY_DIR) }))
}
