import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { print, run, SetupError } from './run.mjs'

/** Headless builds first, because they need half the time. */
const PROGRAM_NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome.exe',
]
const KNOWN_PATHS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const listPathCandidates = () =>
  (process.env.PATH ?? '').split(delimiter).flatMap((folder) => PROGRAM_NAMES.map((name) => join(folder, name)))

/** Some systems have a stub of this name that only prints how to install the browser, so it has to start. */
const canStart = (file) =>
  existsSync(file) && (process.platform === 'win32' || spawnSync(file, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0)

const findInstalled = () => [...listPathCandidates(), ...KNOWN_PATHS].find(canStart)

const findPlaywrightChromium = (root) => {
  const file = createRequire(join(root, 'package.json'))('playwright-core').chromium.executablePath()
  return file && existsSync(file) ? file : undefined
}

const installWithPlaywright = (root) => {
  print('no Chromium found; asking Playwright for one')
  return run(root, 'playwright', ['install', 'chromium']) ? findPlaywrightChromium(root) : undefined
}

const installWithApt = (root) => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined
  const get = (...args) => run(root, 'apt-get', args, { DEBIAN_FRONTEND: 'noninteractive' })
  const install = (name) => {
    print(`installing the package ${name} of this system`)
    return get('install', '-y', '-q', name)
  }
  const done = get('update', '-q') && (install('chromium-headless-shell') || install('chromium'))
  return done ? findInstalled() : undefined
}

const validatePath = (path) => {
  if (existsSync(path)) return path
  throw new SetupError(`CHROMIUM_PATH names ${path}, which does not exist. Correct it, or unset it to search for a browser.`)
}

const readSavedPath = (note) => {
  const path = existsSync(note) ? readFileSync(note, 'utf8').trim() : ''
  return path !== '' && existsSync(path) ? path : undefined
}

/** Finds or installs a Chromium for the browser tests and saves its path for playwright.config.ts. */
export const ensureChromium = (root) => {
  const note = join(root, '.cache', 'chromium-path')
  const requested = process.env.CHROMIUM_PATH
  const path = requested
    ? validatePath(requested)
    : (readSavedPath(note) ?? findInstalled() ?? findPlaywrightChromium(root) ?? installWithPlaywright(root) ?? installWithApt(root))
  if (!path)
    throw new SetupError(
      'the browser tests need a Chromium, and none was found or could be installed.\n' +
        'Install Chromium or Chrome (Debian: apt-get install -y chromium), or set CHROMIUM_PATH to one, then run the same command again.',
    )
  mkdirSync(dirname(note), { recursive: true })
  writeFileSync(note, path)
}
