/** Pictures of every screen into `gallery/`: `npm run gallery`, `npm run gallery -- tracker orders-empty --language=ja`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { LANGUAGES } from '#contracts/constants.ts'
import { nameOf, screens } from '#e2e/screens.ts'
import { startServer } from '#scripts/gallery/server.ts'
import { contactSheet } from '#scripts/gallery/sheet.ts'
import { type Picture, shootAll } from '#scripts/gallery/shoot.ts'

const FOLDER = 'gallery'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { language: { type: 'string', default: 'en' } } })
const language = LANGUAGES.find((known) => known === values.language)
const wanted = screens.filter((screen) => positionals.length === 0 || positionals.some((part) => nameOf(screen).includes(part)))
if (!language || wanted.length === 0) {
  console.error(language ? 'gallery: no screen has such a name' : `gallery: no such language; there are ${LANGUAGES.join(', ')}`)
  process.exit(1)
}

const start = performance.now()
mkdirSync(FOLDER, { recursive: true })
const server = await startServer()
const pictures: Picture[] = []
const failures = await shootAll({
  origin: server.origin,
  language,
  folder: FOLDER,
  screens: wanted,
  onShot: (picture) => pictures.push(picture),
}).finally(server.stop)
const order = new Map(screens.map((screen, index) => [nameOf(screen), index]))
pictures.sort((a, b) => order.get(a.name)! - order.get(b.name)! || a.size.localeCompare(b.size))
writeFileSync(`${FOLDER}/index.html`, contactSheet(pictures, language))
console.log(`gallery: ${pictures.length} pictures in ${Math.round((performance.now() - start) / 1000)} s, ${FOLDER}/index.html`)
for (const failure of failures) console.error(`gallery: ${failure}`)
process.exit(failures.length === 0 ? 0 : 1)
