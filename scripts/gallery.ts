/** Takes pictures of every screen: `npm run gallery`, `npm run gallery -- tracker orders-empty --language=ja --into=pictures`. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { nameOf, screens } from '#e2e/screens/screens.ts'
import { startServer } from '#scripts/gallery/server.ts'
import { contactSheet } from '#scripts/gallery/sheet.ts'
import { type Picture, shootAll } from '#scripts/gallery/shoot.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { language: { type: 'string', default: 'en' }, into: { type: 'string', default: 'gallery' } },
})
const { into: folder } = values
const language = LANGUAGES.find((known) => known === values.language)
const wanted = screens.filter((screen) => positionals.length === 0 || positionals.some((part) => nameOf(screen).includes(part)))
if (!language || wanted.length === 0) {
  console.error(language ? 'gallery: no screen has that name' : `gallery: unknown language; available: ${LANGUAGES.join(', ')}`)
  process.exit(1)
}

const start = performance.now()
mkdirSync(folder, { recursive: true })
const server = await startServer()
const pictures: Picture[] = []
const failures = await shootAll({
  origin: server.origin,
  language,
  folder,
  screens: wanted,
  onShot: (picture) => pictures.push(picture),
}).finally(server.stop)
const order = new Map(screens.map((screen, index) => [nameOf(screen), index]))
pictures.sort((a, b) => order.get(a.name)! - order.get(b.name)! || a.size.localeCompare(b.size))
writeFileSync(`${folder}/index.html`, contactSheet(pictures, language))
console.log(`gallery: ${pictures.length} pictures in ${Math.round((performance.now() - start) / 1000)} s, ${folder}/index.html`)
for (const failure of failures) console.error(`gallery: ${failure}`)
process.exit(failures.length === 0 ? 0 : 1)
