import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'

const FOLDER = '.cache/built'
const UNUSED_MS = 24 * 60 * 60 * 1000

/**
 * Returns a file or folder that `build` makes from `sources`; builds it when one of them, a package or Node.js has changed. Runs at the same
 * time each build their own, and the first to finish moves it into place.
 */
export async function buildOnce(name: string, sources: readonly string[], build: (target: string) => Promise<unknown>): Promise<string> {
  const target = path.join(FOLDER, `${name}-${fingerprint(sources)}`)
  if (!existsSync(target)) {
    mkdirSync(FOLDER, { recursive: true })
    removeUnused(name)
    const own = `${target}.${process.pid}`
    try {
      await build(own)
      if (!existsSync(target)) renameSync(own, target)
    } catch (error) {
      if (!existsSync(target)) throw error
    } finally {
      rmSync(own, { recursive: true, force: true })
    }
  }
  const now = new Date()
  utimesSync(target, now, now)
  return target
}

function fingerprint(sources: readonly string[]) {
  const hash = createHash('sha1').update(process.version)
  for (const file of ['package-lock.json', ...[...sources].sort()]) hash.update(file).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex').slice(0, 16)
}

/** Removes what earlier sources made, but not what another run may be using. */
function removeUnused(name: string) {
  for (const old of readdirSync(FOLDER)) {
    const file = path.join(FOLDER, old)
    const usedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (old.startsWith(`${name}-`) && Date.now() - usedAt > UNUSED_MS) rmSync(file, { recursive: true, force: true })
  }
}
