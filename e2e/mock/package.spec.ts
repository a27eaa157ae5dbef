import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { expect, test } from '#e2e/portal.ts'

const run = promisify(execFile)
const EXAMPLE = 'examples/playwright'
/** Size in bytes of an installation without development packages and without SQLite's driver, to which npm adds 27 MB from Node 22 on. */
const MOST_BYTES = 72_000_000

/** Packages that Node 20 has to install in addition. */
const NODE_20 = Number(process.versions.napi) >= 10 ? [] : ['better-sqlite3']

// One after the other, because both need the same build.
test.describe.configure({ mode: 'serial' })
test.beforeAll(() => run(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'scripts/build.ts', 'package']))

type Manifest = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> }
const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))

/** Links a package and its dependencies, so that nothing has to be downloaded or compiled. */
function linkPackage(name: string, modules: string) {
  const [from, to] = [path.resolve('node_modules', name), path.join(modules, name)]
  if (existsSync(to) || !existsSync(from)) return
  mkdirSync(path.dirname(to), { recursive: true })
  symlinkSync(from, to)
  const { dependencies, optionalDependencies } = readManifest(from)
  for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) linkPackage(each, modules)
}

function measureBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => {
    const file = path.join(folder, name)
    const stats = statSync(file)
    return sum + (stats.isDirectory() ? measureBytes(file) : stats.size)
  }, 0)
}

const measureInstalled = (modules: string) =>
  readdirSync(modules)
    .filter((name) => !name.startsWith('better-sqlite3'))
    .reduce((sum, name) => sum + measureBytes(path.join(modules, name)), 0)

/** The example's suite in a folder of its own, with the packed package and nothing else of this repository. */
async function installExample(folder: string) {
  const modules = path.join(folder, 'node_modules')
  mkdirSync(modules, { recursive: true })
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { shell: process.platform === 'win32' })
  const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  await run('tar', ['xzf', archive, '-C', 'node_modules'], { cwd: folder })
  renameSync(path.join(modules, 'package'), path.join(modules, 'whereabouts'))
  const { dependencies, optionalDependencies } = readManifest(path.join(modules, 'whereabouts'))
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) linkPackage(name, modules)
  const bytes = measureInstalled(modules)
  expect(bytes).toBeGreaterThan(20_000_000)
  expect(bytes).toBeLessThan(MOST_BYTES)
  for (const name of ['@playwright/test', '@types/node', 'typescript', ...NODE_20]) linkPackage(name, modules)
  cpSync(EXAMPLE, folder, { recursive: true })
  const guide = readFileSync('docs/testing.md', 'utf8')
  const [, shown = ''] = /```ts\n(import \{ expect, test \} from 'whereabouts\/playwright'\n[\s\S]*?)```/.exec(guide) ?? []
  writeFileSync(path.join(folder, 'tests/guide.spec.ts'), shown)
}

/** The output of a CommonJS and an ES module that start a server and create a world. */
const PROGRAM = `
  const server = await startServer()
  const { id } = await connectControl(server.url).worlds.create({ body: { id: 'mine', scenario: 'family', seed: 1 } })
  console.log(id, Object.keys(api).length > 20)
  await server.stop()
`

test('the packed package alone serves, types and runs the suite of another repository', async ({ server }, info) => {
  test.setTimeout(600_000)
  const folder = info.outputPath('another')
  await installExample(folder)
  const { TEST_WORKER_INDEX, TEST_PARALLEL_INDEX, ...env } = process.env
  const port = new URL(server).port
  const here = { cwd: folder, env: { ...env, PORT: port }, maxBuffer: 1e8 }

  writeFileSync(
    path.join(folder, 'program.mjs'),
    `import { startServer } from 'whereabouts'\nimport { connectControl } from 'whereabouts/client'\nimport { api } from 'whereabouts/contracts'\n${PROGRAM}`,
  )
  writeFileSync(
    path.join(folder, 'program.cjs'),
    `const { startServer } = require('whereabouts')\nconst { connectControl } = require('whereabouts/client')\nconst { api } = require('whereabouts/contracts')\nvoid (async () => {${PROGRAM}})()`,
  )
  for (const program of ['program.mjs', 'program.cjs'])
    expect(stripVTControlCharacters((await run(process.execPath, [program], { ...here, env })).stdout).trim()).toBe('mine true')

  const types = await run(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit'], here).catch((error) => error)
  expect(types.stdout).toBe('')

  const report = await run(process.execPath, ['node_modules/@playwright/test/cli.js', 'test', '--reporter=line'], here).catch(
    (error) => error,
  )
  expect(report.stdout).toContain('6 passed')

  linkPackage('vitest', path.join(folder, 'node_modules'))
  const units = { cwd: path.join(folder, 'units'), env: { ...env, WHEREABOUTS_URL: undefined, NO_COLOR: '1' }, maxBuffer: 1e8 }
  cpSync('examples/vitest', units.cwd, { recursive: true })
  const unitTypes = await run(process.execPath, ['../node_modules/typescript/bin/tsc', '--noEmit'], units).catch((error) => error)
  expect(unitTypes.stdout).toBe('')
  const unitReport = await run(process.execPath, ['../node_modules/vitest/vitest.mjs', 'run'], units).catch((error) => error)
  expect(unitReport.stdout).toMatch(/Tests +8 passed/)

  const bare = { ...env, PORT: port, PATH: '', CHROMIUM_PATH: '', PLAYWRIGHT_BROWSERS_PATH: path.join(folder, 'no-browsers') }
  const lost = await run(process.execPath, ['node_modules/@playwright/test/cli.js', 'test', '--reporter=line', 'first-page'], {
    ...here,
    env: bare,
  }).catch((error) => error)
  expect(stripVTControlCharacters(lost.stdout)).toContain('No Chromium was found. Install Chromium or Chrome, or run')

  const whereabouts = (...args: string[]): Promise<{ stdout: string; stderr: string; code?: number }> =>
    run(process.execPath, ['node_modules/whereabouts/scripts/cli/whereabouts.mjs', ...args], here).catch((error) => error)
  expect((await whereabouts('doctor', '--server', server)).stdout).toContain('the package is built')

  const own = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))
  const [first = ''] = Object.keys(own.paths)
  writeFileSync(path.join(folder, 'earlier.json'), JSON.stringify({ ...own, paths: { ...own.paths, '/gone/': own.paths[first] } }))
  expect(await whereabouts('contracts', 'diff', 'earlier.json')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^breaking +GET \/gone\/ +is gone/),
  })
  const account = ['--email', 'alice@example.com', '--password', 'Demo-1234']
  const checked = await whereabouts('contracts', 'check', '--base', server, ...account, '--only', 'places.list', '--max-rps', '1000')
  expect(checked.stdout).toContain('Clean.')
  expect((await whereabouts('contracts', 'proxy', '--base', 'nowhere')).stderr).toContain('--base nowhere is not a URL')

  const data = path.join(folder, 'damaged')
  mkdirSync(data)
  writeFileSync(path.join(data, 'whereabouts.db'), 'no database')
  const said = [
    await whereabouts('--help'),
    await whereabouts('up', '--port', '0', '--data', data),
    ...(await Promise.all(['check', 'proxy', 'diff'].map((name) => whereabouts('contracts', name, '--help')))),
  ].map(({ stdout, stderr }) => stdout + stderr)
  expect(said[1]).toContain('is not a database. Restore a backup with "node node_modules/whereabouts/dist/server/restore.js FILE"')
  expect(said.filter((text) => text === '' || /npm (run|start)/.test(text))).toEqual([])
})

test('npm would publish the package with every file that its manifest names', async ({ server: _ }, info) => {
  const { stdout, stderr } = await run('npm', ['publish', '--dry-run', '--ignore-scripts', '--json', '--loglevel=warn'], {
    maxBuffer: 1e8,
    env: { ...process.env, npm_config_cache: info.outputPath('cache') },
    shell: process.platform === 'win32',
  })
  expect(stderr).not.toContain('auto-corrected')
  const { files } = JSON.parse(stdout).whereabouts as { files: { path: string }[] }
  const packed = new Set(files.map(({ path: file }) => file))
  const manifest = readFileSync('package.json', 'utf8')
  const named = [...manifest.matchAll(/"(?:import|require|types|default|main|whereabouts)": "(?:\.\/)?([^"]+\.(?:js|mjs|d\.ts))"/g)]
  expect(named.length).toBeGreaterThan(15)
  expect(
    [...named.map(([, file = '']) => file), 'docs/openapi.json', 'LICENSE', 'NOTICE', 'README.md'].filter((file) => !packed.has(file)),
  ).toEqual([])
  expect([...packed].filter((file) => /\.(map|gz)$|\.test\./.test(file))).toEqual([])
})
