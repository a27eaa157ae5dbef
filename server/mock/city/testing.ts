import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildCity } from './build.ts'
import type { City } from './city.ts'
import { openCity } from './open.ts'

const SHELF = '.cache/city'
let opened: City | undefined

/** Returns the folder of a city built by the current sources; builds it when they have changed. */
export async function builtCity(): Promise<string> {
  const dir = join(SHELF, fingerprint())
  if (existsSync(dir)) return dir
  // Several test workers may build at once, each in its own folder; the first to finish moves its folder into place.
  const own = `${dir}-${process.pid}`
  mkdirSync(SHELF, { recursive: true })
  for (const old of readdirSync(SHELF)) if (!old.startsWith(fingerprint())) rmSync(join(SHELF, old), { recursive: true, force: true })
  await buildCity(own)
  try {
    renameSync(own, dir)
  } catch {
    rmSync(own, { recursive: true })
  }
  return dir
}

/** Opens the demo city for tests, once per worker. */
export async function testCity(): Promise<City> {
  opened ??= openCity(await builtCity())
  return opened
}

function fingerprint() {
  const sources = readdirSync('server/mock/city').filter((name) => name.endsWith('.ts') && !name.includes('test'))
  const hash = createHash('sha1')
  for (const name of sources.sort()) hash.update(readFileSync(join('server/mock/city', name)))
  return hash.digest('hex').slice(0, 12)
}
