import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { run } from './run.mjs'
import { SetupError, say } from './say.mjs'

/** Headless builds first, because they need half the time. */
const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome.exe',
]
const PLACES = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const onPath = () => (process.env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))

/** Some systems have a stub of this name that only prints how to install the browser, so it has to start. */
const starts = (file) =>
  existsSync(file) && (process.platform === 'win32' || spawnSync(file, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0)

const installed = () => [...onPath(), ...PLACES].find(starts)

const ofPlaywright = (root) => {
  const file = createRequire(join(root, 'package.json'))('playwright-core').chromium.executablePath()
  return file && existsSync(file) ? file : undefined
}

const fromPlaywright = (root) => {
  say('no Chromium found; asking Playwright for one')
  return run(root, 'playwright', ['install', 'chromium']) ? ofPlaywright(root) : undefined
}

const fromDebian = (root) => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined
  const get = (...args) => run(root, 'apt-get', args, { DEBIAN_FRONTEND: 'noninteractive' })
  const install = (name) => {
    say(`installing the package ${name} of this system`)
    return get('install', '-y', '-q', name)
  }
  const done = get('update', '-q') && (install('chromium-headless-shell') || install('chromium'))
  return done ? installed() : undefined
}

const chosen = (path) => {
  if (existsSync(path)) return path
  throw new SetupError(`CHROMIUM_PATH names ${path}, which does not exist. Correct it, or unset it to have a browser looked for.`)
}

const remembered = (note) => {
  const path = existsSync(note) ? readFileSync(note, 'utf8').trim() : ''
  return path !== '' && existsSync(path) ? path : undefined
}

/** Finds or installs a Chromium for the browser tests and saves its path for playwright.config.ts. */
export const ensureChromium = (root) => {
  const note = join(root, '.cache', 'chromium-path')
  const asked = process.env.CHROMIUM_PATH
  const path = asked ? chosen(asked) : (remembered(note) ?? installed() ?? ofPlaywright(root) ?? fromPlaywright(root) ?? fromDebian(root))
  if (!path)
    throw new SetupError(
      'the browser tests need a Chromium, and none was found or could be installed.\n' +
        'Install Chromium or Chrome (Debian: apt-get install -y chromium), or set CHROMIUM_PATH to one, then run the same command again.',
    )
  mkdirSync(dirname(note), { recursive: true })
  writeFileSync(note, path)
}
