/**
 * Measures the processor time (user and system) of a newcomer: installs the packed package and Playwright with an empty npm cache, and runs
 * one test in a browser that is already installed. Fails when the test fails or the goal is missed.
 *
 *   npm pack && npm run bench:first-test -- whereabouts-0.1.0.tgz [--node FOLDER] [--no-compiler]
 *
 * `--node` is a folder with another `node`; `--no-compiler` hides Python, make and the compilers.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { findInstalled } from '#scripts/setup/find-chromium.mjs'
import { findFreePort } from '#server/test/test-process.ts'

const GOAL_SECONDS = 60
const COMPILERS = /^(python|pip|pyenv|g?make|gcc|g\+\+|cc|c\+\+|clang)/

const TEST = `import { expect, test } from 'whereabouts/playwright'

test('Alice sees her eighteen trackers', async ({ page, open }) => {
  await open('/', 'alice')
  await expect(page.getByRole('heading', { name: 'Trackers 18' })).toBeVisible()
})
`

/** Ends the server gently, so that the processor time of its process is counted. */
const formatConfig = (origin: string, port: number) => `module.exports = {
  expect: { timeout: 20_000 },
  use: { baseURL: '${origin}' },
  webServer: {
    command: 'exec node node_modules/whereabouts/scripts/cli/whereabouts.mjs up --port ${port}',
    url: '${origin}/healthz',
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
  },
}
`

/** Links all programs of PATH except the compilers into a folder. */
function linkPrograms(folder: string, PATH: string) {
  mkdirSync(folder)
  for (const each of PATH.split(path.delimiter).filter(existsSync))
    for (const name of readdirSync(each).filter((name) => !COMPILERS.test(name) && !existsSync(path.join(folder, name))))
      symlinkSync(path.join(each, name), path.join(folder, name))
  return folder
}

/** Runs a command and returns the processor time of it and its children, as the shell counts it, in seconds. */
function runMeasured(command: string, { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }) {
  const start = performance.now()
  const { status, stdout } = spawnSync('bash', ['-c', `${command} >&2; code=$?; times; exit $code`], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`${command} failed`)
  const [, children = ''] = stdout.trim().split('\n')
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest),
    0,
  )
  return { cpu: seconds, wall: (performance.now() - start) / 1000 }
}

const { values, positionals } = parseArgs({
  options: { node: { type: 'string' }, 'no-compiler': { type: 'boolean', default: false } },
  allowPositionals: true,
})
const [archive] = positionals
if (!archive || !existsSync(archive)) throw new Error('Name the packed package: npm run bench:first-test -- whereabouts-0.1.0.tgz')

const folder = mkdtempSync(path.join(tmpdir(), 'first-test-'))
try {
  const browser = process.env.CHROMIUM_PATH ?? findInstalled()
  if (!browser) throw new Error('No Chromium is installed')
  const port = await findFreePort()
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n')
  writeFileSync(path.join(folder, 'playwright.config.cjs'), formatConfig(`http://localhost:${port}`, port))
  mkdirSync(path.join(folder, 'tests'))
  writeFileSync(path.join(folder, 'tests/first.spec.ts'), TEST)
  const own = process.env.PATH ?? ''
  const programs = values['no-compiler'] ? linkPrograms(path.join(folder, 'programs'), own) : own
  const env = {
    ...process.env,
    PATH: [...(values.node ? [path.resolve(values.node)] : []), programs].join(path.delimiter),
    CHROMIUM_PATH: browser,
    npm_config_cache: path.join(folder, 'cache'),
    npm_config_update_notifier: 'false',
  }
  const installed = runMeasured(`npm install --no-audit --no-fund -D @playwright/test '${path.resolve(archive)}'`, { cwd: folder, env })
  const tested = runMeasured('npx playwright test --reporter=line', { cwd: folder, env })
  const version = spawnSync('node', ['--version'], { env, encoding: 'utf8' }).stdout.trim()
  const cpu = installed.cpu + tested.cpu
  const format = ({ cpu, wall }: { cpu: number; wall: number }) => `${cpu.toFixed(1)} s of processor (${wall.toFixed(1)} s)`
  console.log(`Node ${version}: install ${format(installed)}, first test ${format(tested)}, together ${cpu.toFixed(1)} s of processor`)
  if (cpu > GOAL_SECONDS) throw new Error(`The goal is ${GOAL_SECONDS} s`)
} catch (error) {
  console.error(`bench:first-test: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
