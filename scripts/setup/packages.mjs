import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatSeconds, print, run, SetupError } from './run.mjs'

const modulesPath = (root, name) => join(root, 'node_modules', name)

/** Hash of everything node_modules depends on: the lock file, the platform and the ABI of Node. */
const computeFingerprint = (root) =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform} ${process.arch} ${process.versions.modules}`)
    .digest('hex')

/** The packages of a lock file by folder, without the project itself. */
const listPackages = (file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages).filter(([path]) => path !== '')

/** Optional packages for other platforms or Node versions may be missing. */
const isNeeded = ([, { optional, devOptional }]) => !optional && !devOptional

/** An interrupted install has removed old packages without adding the new ones. */
const hasAllPackages = (root) =>
  listPackages(join(root, 'package-lock.json'))
    .filter(isNeeded)
    .every(([path]) => existsSync(join(root, path, 'package.json')))

/** Accepts a manual `npm ci`: npm records in node_modules what it installed. */
const isManualInstall = (root) => {
  const note = modulesPath(root, '.package-lock.json')
  if (!existsSync(note)) return false
  const here = new Map(listPackages(note))
  return listPackages(join(root, 'package-lock.json')).every((wants) => {
    const found = here.get(wants[0])
    return found ? found.version === wants[1].version : !isNeeded(wants)
  })
}

const saveStamp = (root) => writeFileSync(modulesPath(root, '.stamp'), computeFingerprint(root))

const isCurrent = (root) => {
  if (!hasAllPackages(root)) return false
  const file = modulesPath(root, '.stamp')
  if (existsSync(file)) return readFileSync(file, 'utf8') === computeFingerprint(root)
  if (!isManualInstall(root)) return false
  saveStamp(root)
  return true
}

/**
 * Runs `npm ci`. The old stamps are deleted first so that a failed or interrupted install is repeated. With Node-API 10 every native
 * package is prebuilt, so install scripts are skipped.
 */
export const install = (root) => {
  const start = performance.now()
  const compiles = Number(process.versions.napi) < 10
  print(`installing the packages${compiles ? ' (SQLite is compiled once, which takes a minute or two)' : ''}`)
  for (const note of ['.stamp', '.package-lock.json']) rmSync(modulesPath(root, note), { force: true })
  // Compiles as many files at once as there are processors.
  const env = { JOBS: 'max' }
  if (!run(root, 'npm', ['ci', '--no-audit', '--no-fund', ...(compiles ? [] : ['--ignore-scripts'])], env))
    throw new SetupError(
      'the packages could not be installed (npm says why above).\n' +
        'Check that `npm ping` answers; behind a proxy set `npm config set proxy`. Then run the same command again.',
    )
  saveStamp(root)
  print(`packages installed in ${formatSeconds(start)}`)
}

export const ensurePackages = (root) => {
  if (isCurrent(root)) return false
  install(root)
  return true
}
