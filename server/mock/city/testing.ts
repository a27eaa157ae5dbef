import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildCity } from '#server/mock/city/build/build-city.ts'
import { openCity } from '#server/mock/city/lookup/open-city.ts'
import type { City } from './city.ts'

const CACHE_DIR = '.cache/city'
let opened: City | undefined

/** Returns the folder of a city built by the current sources; builds it when they have changed. */
export async function ensureBuiltCity(): Promise<string> {
  const dir = join(CACHE_DIR, fingerprint())
  if (existsSync(dir)) return dir
  // Several test workers may build at once, each in its own folder; the first to finish moves its folder into place.
  const own = `${dir}-${process.pid}`
  mkdirSync(CACHE_DIR, { recursive: true })
  for (const old of readdirSync(CACHE_DIR))
    if (!old.startsWith(fingerprint())) rmSync(join(CACHE_DIR, old), { recursive: true, force: true })
  await buildCity(own)
  try {
    renameSync(own, dir)
  } catch {
    rmSync(own, { recursive: true })
  }
  return dir
}

export async function openTestCity(): Promise<City> {
  opened ??= openCity(await ensureBuiltCity())
  return opened
}

function fingerprint() {
  const sources = readdirSync('server/mock/city', { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.includes('test'),
  )
  const hash = createHash('sha1')
  for (const name of sources.sort()) hash.update(readFileSync(join('server/mock/city', name)))
  return hash.digest('hex').slice(0, 12)
}
