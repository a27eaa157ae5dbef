import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { print, run, SetupError } from './run.mjs'

const shared = ['package-lock.json', 'tsconfig.json', 'scripts/build.ts', 'scripts/build']

export const TARGETS = {
  web: [...shared, 'web', 'contracts', 'locales', 'vite.config.ts'],
  server: [
    ...shared,
    'server',
    'db',
    'contracts',
    'locales',
    'docs/openapi.json',
    'vite.server.config.ts',
    'vite.bar.config.ts',
    'vite.panel.config.ts',
  ],
  city: ['package-lock.json', 'server/mock/city', 'scripts/build/city.ts'],
  package: [
    ...shared,
    'server',
    'db',
    'contracts',
    'e2e/fixture',
    'e2e/portal.ts',
    'scripts/package',
    'scripts/cli',
    'scripts/contracts',
    'scripts/har',
    'scripts/setup',
  ],
}

const OUTPUT = { web: 'dist/web/index.html', server: 'dist/server/mock.js', city: 'dist/city', package: 'dist/package/cli.js' }

const isTest = (path) => /\.test\.tsx?$/.test(path) || /(^|\/)test(\/|$)/.test(path)

/** All files below a path except tests, sorted so that the order does not depend on the file system. */
const filesBelow = (root, path) => {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (!found || isTest(path)) return []
  if (found.isFile()) return [path]
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesBelow(root, `${path}/${name}`))
}

export const contentHash = (root, paths) => {
  const hash = createHash('sha256')
  for (const path of paths.flatMap((one) => filesBelow(root, one)))
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

const stampFile = (root, target) => join(root, 'dist', '.stamps', target)

const readStamp = (file) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const hasOutput = (root, target) => statSync(join(root, OUTPUT[target]), { throwIfNoEntry: false }) !== undefined

export const isStale = (root, target) =>
  !hasOutput(root, target) || readStamp(stampFile(root, target)) !== contentHash(root, TARGETS[target])

/**
 * Runs a build and saves the hash of its inputs. The hash is computed first, so a file edited during the build makes the result stale; the
 * old stamp is deleted first, so a failed or interrupted build is repeated.
 */
export const buildWithStamp = async (root, target, build) => {
  const file = stampFile(root, target)
  const hash = contentHash(root, TARGETS[target])
  rmSync(file, { force: true })
  await build()
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, hash)
}

export const ensureBuilt = (root, targets) => {
  const stale = targets.filter((target) => isStale(root, target))
  if (stale.length === 0) return
  print(`building ${stale.join(', ')}`)
  if (run(root, 'tsx', ['scripts/build.ts', ...stale])) return
  throw new SetupError(`the build of ${stale.join(', ')} failed (see above). Repeat it alone with: npm run build -- ${stale.join(' ')}`)
}
