import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.mjs'
import { SetupError, say, seconds } from './say.mjs'

const modules = (root, name) => join(root, 'node_modules', name)

/** Packages depend on the lock file and on what Node compiles against. */
const wanted = (root) =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform} ${process.arch} ${process.versions.modules}`)
    .digest('hex')

/** Of a lock file by their folders, apart from the project itself. */
const packagesIn = (file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages).filter(([path]) => path !== '')

/** Packages that only other systems or Nodes need may be missing. */
const isNeeded = ([, { optional, devOptional }]) => !optional && !devOptional

/** An install that was interrupted has taken away the old packages before it put new ones there. */
const isWhole = (root) =>
  packagesIn(join(root, 'package-lock.json'))
    .filter(isNeeded)
    .every(([path]) => existsSync(join(root, path, 'package.json')))

/** An install made by hand (`npm ci`) is as good as ours: npm notes in node_modules what it put there. */
const installedByHand = (root) => {
  const note = modules(root, '.package-lock.json')
  if (!existsSync(note)) return false
  const here = new Map(packagesIn(note))
  return packagesIn(join(root, 'package-lock.json')).every((wants) => {
    const found = here.get(wants[0])
    return found ? found.version === wants[1].version : !isNeeded(wants)
  })
}

const stamp = (root) => writeFileSync(modules(root, '.stamp'), wanted(root))

const isCurrent = (root) => {
  if (!isWhole(root)) return false
  const file = modules(root, '.stamp')
  if (existsSync(file)) return readFileSync(file, 'utf8') === wanted(root)
  if (!installedByHand(root)) return false
  stamp(root)
  return true
}

/** `npm ci`. The old notes go first, so that one that fails or is interrupted is repeated. With Node-API 10 every native package comes ready made, so no install script (a compiler run) is needed. */
export const install = (root) => {
  const start = performance.now()
  const compiles = Number(process.versions.napi) < 10
  say(`installing the packages${compiles ? ' (SQLite is compiled once, which takes a minute or two)' : ''}`)
  for (const note of ['.stamp', '.package-lock.json']) rmSync(modules(root, note), { force: true })
  if (!run(root, 'npm', ['ci', '--no-audit', '--no-fund', ...(compiles ? [] : ['--ignore-scripts'])]))
    throw new SetupError(
      'the packages could not be installed (npm says why above).\n' +
        'Check that `npm ping` answers; behind a proxy set `npm config set proxy`. Then run the same command again.',
    )
  stamp(root)
  say(`packages installed in ${seconds(start)}`)
}

/** Installs what is missing or stale; answers whether it did. */
export const ensurePackages = (root) => {
  if (isCurrent(root)) return false
  install(root)
  return true
}
