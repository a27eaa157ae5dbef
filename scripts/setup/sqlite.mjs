import { createRequire } from 'node:module'
import { join } from 'node:path'
import { install } from './packages.mjs'
import { print, SetupError } from './run.mjs'

/** better-sqlite3 is compiled and runs on Node-API 9 (Node 20); the prebuilt driver needs Node-API 10. */
const chooseDriver = (napi) => (Number(napi) >= 10 ? 'better-sqlite3-napi' : 'better-sqlite3')

const HINTS = {
  linux:
    'Debian, Ubuntu: apt-get install -y python3 make g++   Alpine: apk add python3 make g++   Fedora: dnf install python3 make gcc-c++',
  darwin: 'macOS: xcode-select --install',
  win32: 'Windows: install "Desktop development with C++" of the Visual Studio Build Tools, and Python 3',
}

const remedy = (driver) =>
  driver === 'better-sqlite3'
    ? `On Node 20 SQLite is compiled while installing, which needs python3, make and g++:\n  ${HINTS[process.platform] ?? HINTS.linux}\n` +
      'then delete node_modules and run the same command again. Or use Node 22 or 24: there nothing is compiled.'
    : 'Its ready-made binary was not installed. Delete node_modules and run the same command again; ' +
      'npm must be allowed to install optional packages (no `omit=optional` in its configuration).'

const findDriverError = (root, driver) => {
  try {
    const Database = createRequire(join(root, 'package.json'))(driver)
    new Database(':memory:').close()
    return undefined
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  }
}

/** Opens a database to test the driver; a driver installed by another Node version is reinstalled once. */
export async function checkSqlite(root, isFresh) {
  const driver = chooseDriver(process.versions.napi)
  const first = findDriverError(root, driver)
  if (first === undefined) return
  if (!isFresh) {
    print(`${driver} does not load (${first}); reinstalling`)
    await install(root)
    if (findDriverError(root, driver) === undefined) return
  }
  throw new SetupError(`SQLite does not load: ${first}\n${remedy(driver)}`)
}
