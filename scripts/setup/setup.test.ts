import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildWithStamp, contentHash, isStale } from './stamps.mjs'

let root = ''
const write = (path: string, text = 'x') => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'whereabouts-setup-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const evaluate = (module: string, expression: string, env: Record<string, string> = {}) =>
  spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `import * as it from '#scripts/setup/${module}.mjs'; console.log(await ${expression})`],
    {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    },
  )

describe('build stamps', () => {
  const build = () => buildWithStamp(root, 'server', () => write('dist/server/mock.js'))

  test('a target is stale until it is built, and again after one of its files changes', async () => {
    write('server/main.ts')
    expect(isStale(root, 'server')).toBe(true)
    await build()
    expect(isStale(root, 'server')).toBe(false)
    write('server/main.ts', 'y')
    expect(isStale(root, 'server')).toBe(true)
  })

  test('a deleted build, a new file and a renamed file make a target stale, but a test does not', async () => {
    write('server/main.ts')
    await build()
    write('server/main.test.ts')
    write('server/test/start.ts')
    expect(isStale(root, 'server')).toBe(false)
    write('server/more.ts')
    expect(isStale(root, 'server')).toBe(true)
    await build()
    rmSync(join(root, 'dist/server'), { recursive: true })
    expect(isStale(root, 'server')).toBe(true)
  })

  test('a change in server/ does not make the portal stale', async () => {
    write('web/app/main.tsx')
    await buildWithStamp(root, 'web', () => write('dist/web/index.html'))
    write('server/main.ts')
    expect(isStale(root, 'web')).toBe(false)
  })

  test('a failed build leaves the target stale, even after a successful one', async () => {
    await build()
    await expect(buildWithStamp(root, 'server', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(isStale(root, 'server')).toBe(true)
  })

  test('a file edited during the build makes the result stale', async () => {
    write('server/main.ts')
    await buildWithStamp(root, 'server', () => {
      write('dist/server/mock.js')
      write('server/main.ts', 'edited')
    })
    expect(isStale(root, 'server')).toBe(true)
  })

  test('the content hash covers file names as well as contents', () => {
    write('a/one', 'x')
    const before = contentHash(root, ['a'])
    rmSync(join(root, 'a/one'))
    write('a/two', 'x')
    expect(contentHash(root, ['a'])).not.toBe(before)
  })
})

test('Node 20.20.2, 22.12, 24 and newer versions of these lines are supported', () => {
  const versions = {
    'v18.20.0': false,
    'v20.20.1': false,
    'v20.20.2': true,
    'v21.7.0': false,
    'v22.11.0': false,
    'v22.12.0': true,
    'v24.21.0': true,
    'v26.0.0': true,
  }
  const isSupported = (version: string) => evaluate('node-version', `it.checkNode('${version}')`).status === 0
  expect(Object.fromEntries(Object.keys(versions).map((version) => [version, isSupported(version)]))).toEqual(versions)
})

test('an unsupported Node version is rejected with the list of supported ones', () => {
  expect(evaluate('node-version', "it.checkNode('v18.1.0')").stderr).toContain('Node v18.1.0 cannot run Whereabouts; it needs 20.20.2')
})

test('a database driver that does not load is reported with its remedy', () => {
  write('package.json', '{}')
  const { status, stderr } = evaluate('sqlite', `it.checkSqlite(${JSON.stringify(root)}, true)`)
  expect(status).toBe(1)
  expect(stderr).toContain("SQLite does not load: Cannot find module 'better-sqlite3")
  expect(stderr).toMatch(Number(process.versions.napi) >= 10 ? /Delete node_modules/ : /python3, make and g\+\+/)
})

test('a CHROMIUM_PATH that does not exist is reported', () => {
  const { stderr } = evaluate('chromium', `it.ensureChromium(${JSON.stringify(root)})`, { CHROMIUM_PATH: '/no/such/browser' })
  expect(stderr).toContain('CHROMIUM_PATH names /no/such/browser, which does not exist')
})

test('an unknown setup command is rejected with one line', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/setup.mjs', 'fly'], { encoding: 'utf8' })
  expect([status, stderr.trim()]).toEqual([1, 'setup: choose what to prepare: start, test, dev'])
})

test('npm scripts that need a build or a browser prepare it first', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const needs = { start: 'start', demo: 'start', soak: 'start', test: 'test', e2e: 'test', 'e2e:again': 'test', gallery: 'test' }
  for (const [command, need] of Object.entries(needs)) {
    expect(scripts).toHaveProperty([command])
    expect(scripts[`pre${command}`], command).toBe(`node scripts/setup.mjs ${need}`)
  }
})
