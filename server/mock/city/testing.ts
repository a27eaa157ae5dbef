import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildCity } from './build.ts'
import type { City } from './city.ts'
import { openCity } from './open.ts'

const SHELF = '.cache/city'
let opened: City | undefined

/** The folder of a city built by the sources as they are now; built at most once until one of them changes. */
export async function builtCity(): Promise<string> {
  const dir = join(SHELF, fingerprint())
  if (existsSync(dir)) return dir
  // Several test workers may come at once: each builds for itself, and the first to be ready puts it in place.
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

/** The demo city, for tests; the same one within a worker. */
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
