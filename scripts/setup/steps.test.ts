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
/** A program of the given name that notes how it was called and ends so. */
const program = (path: string, code = 0) => {
  write(path, `#!/bin/sh\necho "$(basename "$0") $*" >> "${root}/called"\nexit ${code}\n`)
  chmodSync(join(root, path), 0o755)
}
const called = () => read('called').trim().split('\n').filter(Boolean)
const lock = (version: string, more: Record<string, object> = {}) =>
  JSON.stringify({ packages: { '': { version: '0.1.0' }, 'node_modules/left': { version }, ...more } })

/** A step of setup over the folder, as npm's Node runs it: its message, and whether it ended well. */
const run = (module: string, call: string, env: Record<string, string> = {}) => {
  const script = `import * as it from '#scripts/setup/${module}.mjs'
    try { console.log('answer', it.${call.replace('ROOT', JSON.stringify(root))}) } catch (error) { console.log('refused', error.message); process.exit(3) }`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...process.env, CHROMIUM_PATH: '', ...env },
  })
  return { isWell: status === 0, said: stdout }
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'whereabouts-steps-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('packages', () => {
  const ensure = () => run('packages', 'ensurePackages(ROOT)')
  beforeEach(() => write('node_modules/left/package.json', '{}'))

  test('a fresh clone is installed by the lock file, once', () => {
    write('package-lock.json', lock('1.0.0'))
    program('node_modules/.bin/npm')
    expect(ensure().said).toContain('answer true')
    expect(called()).toEqual([expect.stringMatching(/^npm ci --no-audit --no-fund/)])
    expect(ensure().said).toContain('answer false')
    expect(called()).toHaveLength(1)
  })

  test('a changed lock file is installed again', () => {
    write('package-lock.json', lock('1.0.0'))
    program('node_modules/.bin/npm')
    ensure()
    write('package-lock.json', lock('1.0.1'))
    expect(ensure().said).toContain('answer true')
    expect(called()).toHaveLength(2)
  })

  test('packages that somebody installed by hand are taken as they are', () => {
    write('package-lock.json', lock('1.0.0', { 'node_modules/other-system': { version: '2.0.0', optional: true } }))
    write('node_modules/.package-lock.json', lock('1.0.0'))
    program('node_modules/.bin/npm')
    expect(ensure().said).toContain('answer false')
    expect(called()).toEqual([])
  })

  test.each([
    ['another version', lock('0.9.0')],
    ['a package less', JSON.stringify({ packages: {} })],
  ])('but not with %s', (_, note) => {
    write('package-lock.json', lock('1.0.0'))
    write('node_modules/.package-lock.json', note)
    program('node_modules/.bin/npm')
    expect(ensure().said).toContain('answer true')
  })

  test.each([
    ['.stamp', (): unknown => ensure()],
    ['.package-lock.json', (): unknown => write('node_modules/.package-lock.json', lock('1.0.0'))],
  ])('packages that are gone in spite of %s are installed again', (_, before) => {
    write('package-lock.json', lock('1.0.0'))
    program('node_modules/.bin/npm')
    before()
    rmSync(join(root, 'node_modules/left'), { recursive: true })
    expect(ensure().said).toContain('answer true')
  })

  test('an install that failed over packages that were good is done again', () => {
    write('package-lock.json', lock('1.0.0'))
    write('node_modules/.package-lock.json', lock('1.0.0'))
    program('node_modules/.bin/npm', 1)
    expect(run('packages', 'install(ROOT)').isWell).toBe(false)
    program('node_modules/.bin/npm')
    expect(ensure().said).toContain('answer true')
  })

  test('an install that fails says what to look at, and is tried again next time', () => {
    write('package-lock.json', lock('1.0.0'))
    program('node_modules/.bin/npm', 1)
    const { isWell, said } = ensure()
    expect(isWell).toBe(false)
    expect(said).toContain('Check that `npm ping` answers')
    program('node_modules/.bin/npm')
    expect(ensure().said).toContain('answer true')
  })
})

describe('builds', () => {
  const ensure = (targets: string[]) => run('builds', `ensureBuilt(ROOT, ${JSON.stringify(targets)})`)

  test('what is stale is built by name, in one go', () => {
    program('node_modules/.bin/tsx')
    expect(ensure(['web', 'city']).isWell).toBe(true)
    expect(called()).toEqual(['tsx scripts/build.ts web city'])
  })

  test('a build that fails is said, with the command that repeats it alone', () => {
    program('node_modules/.bin/tsx', 1)
    const { isWell, said } = ensure(['server'])
    expect(isWell).toBe(false)
    expect(said).toContain('npm run build -- server')
  })

  test('nothing to build, nothing said', () => {
    expect(ensure([]).said).toBe('answer undefined\n')
  })
})

describe('a browser for the tests', () => {
  const ensure = (env: Record<string, string>) => run('chromium', 'ensureChromium(ROOT)', env)
  const noted = () => read('.cache/chromium-path')

  test('the one that is named is noted', () => {
    program('bin/my-browser')
    expect(ensure({ CHROMIUM_PATH: join(root, 'bin/my-browser') }).isWell).toBe(true)
    expect(noted()).toBe(join(root, 'bin/my-browser'))
  })

  test('otherwise the one that was noted before', () => {
    program('bin/my-browser')
    write('.cache/chromium-path', `${join(root, 'bin/my-browser')}\n`)
    expect(ensure({ PATH: '' }).isWell).toBe(true)
    expect(noted()).toBe(join(root, 'bin/my-browser'))
    expect(called()).toEqual([])
  })

  test('otherwise the first on the path that really starts', () => {
    program('stub/chromium', 1)
    program('real/google-chrome')
    const path = [join(root, 'stub'), join(root, 'real'), process.env.PATH].join(':')
    write('.cache/chromium-path', '/no/longer/there')
    expect(ensure({ PATH: path }).isWell).toBe(true)
    expect(called()).toEqual(['chromium --version', 'google-chrome --version'])
    expect(noted()).toBe(join(root, 'real/google-chrome'))
  })
})
