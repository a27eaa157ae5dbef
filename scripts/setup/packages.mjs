import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
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

const packagesIn = (file) => JSON.parse(readFileSync(file, 'utf8')).packages

/** An install made by hand (`npm ci`) is as good as ours: npm notes in node_modules what it put there. */
const installedByHand = (root) => {
  const note = modules(root, '.package-lock.json')
  if (!existsSync(note)) return false
  const here = packagesIn(note)
  return Object.entries(packagesIn(join(root, 'package-lock.json'))).every(([path, { version, optional, devOptional }]) =>
    path === '' ? true : here[path] ? here[path].version === version : optional === true || devOptional === true,
  )
}

const stamp = (root) => writeFileSync(modules(root, '.stamp'), wanted(root))

const isCurrent = (root) => {
  const file = modules(root, '.stamp')
  if (existsSync(file)) return readFileSync(file, 'utf8') === wanted(root)
  if (!installedByHand(root)) return false
  stamp(root)
  return true
}

/** `npm ci`. With Node-API 10 every native package comes ready made, so no install script (a compiler run) is needed. */
export const install = (root) => {
  const start = performance.now()
  const compiles = Number(process.versions.napi) < 10
  say(`installing the packages${compiles ? ' (SQLite is compiled once, which takes a minute or two)' : ''}`)
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
