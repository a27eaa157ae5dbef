import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { findInstalled, KINDS } from './find-chromium.mjs'
import { print, run, SetupError } from './run.mjs'

/** Packages of Debian by kind. */
const DEBIAN_PACKAGES = { 'headless shell': 'chromium-headless-shell', ordinary: 'chromium' }

const findPlaywrightChromium = (root) => {
  const file = createRequire(join(root, 'package.json'))('playwright-core').chromium.executablePath()
  return file && existsSync(file) ? file : undefined
}

const installWithPlaywright = (root) => {
  print('no Chromium found; asking Playwright for one')
  return run(root, 'playwright', ['install', 'chromium']) ? findPlaywrightChromium(root) : undefined
}

const canUseApt = () => process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/etc/debian_version')

const installWithApt = (root, kind) => {
  if (!canUseApt()) return undefined
  const name = DEBIAN_PACKAGES[kind]
  print(`installing the package ${name} of this system`)
  const get = (...args) => run(root, 'apt-get', args, { DEBIAN_FRONTEND: 'noninteractive' })
  return get('update', '-q') && get('install', '-y', '-q', name) ? findInstalled([kind]) : undefined
}

const installAny = (root) => installWithPlaywright(root) ?? installWithApt(root, 'headless shell') ?? installWithApt(root, 'ordinary')

const findAny = (root) => findInstalled() ?? findPlaywrightChromium(root)

const validatePath = (path) => {
  if (existsSync(path)) return path
  throw new SetupError(`CHROMIUM_PATH names ${path}, which does not exist. Correct it, or unset it to search for a browser.`)
}

/**
 * The browser of the tests, and the ordinary one, which the tests in `e2e/quality` use because most people have it: it requests icons and
 * has its own windows. In CI both kinds are tried, so a missing one is installed where that is possible.
 */
const chooseBrowsers = (root) => {
  if (process.env.CHROMIUM_PATH) {
    const path = validatePath(process.env.CHROMIUM_PATH)
    return { path, ordinary: path }
  }
  if (process.env.CI) for (const kind of KINDS) findInstalled([kind]) ?? installWithApt(root, kind)
  const path = findAny(root) ?? installAny(root)
  return { path, ordinary: findInstalled(['ordinary']) ?? path }
}

/** Finds or installs a Chromium for the browser tests and saves its path for `e2e/chromium.ts`. */
export const ensureChromium = (root) => {
  const { path, ordinary } = chooseBrowsers(root)
  if (!path)
    throw new SetupError(
      'the browser tests need a Chromium, and none was found or could be installed.\n' +
        'Install Chromium or Chrome (Debian: apt-get install -y chromium), or set CHROMIUM_PATH to one, then run the same command again.',
    )
  mkdirSync(join(root, '.cache'), { recursive: true })
  writeFileSync(join(root, '.cache', 'chromium.json'), `${JSON.stringify({ path, ordinary })}\n`)
}
