import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Headless shells first, because they need half the time. */
export const KINDS = ['headless shell', 'ordinary']

const PROGRAMS = {
  'headless shell': ['chromium-headless-shell', 'chrome-headless-shell'],
  ordinary: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe'],
}
const FOLDERS = {
  'headless shell': [],
  ordinary: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ],
}

const listCandidates = (kind) => [
  ...(process.env.PATH ?? '').split(delimiter).flatMap((folder) => PROGRAMS[kind].map((name) => join(folder, name))),
  ...FOLDERS[kind],
]

/** Some systems have a stub of this name that only prints how to install the browser, so it has to start. */
const canStart = (file) =>
  existsSync(file) && (process.platform === 'win32' || spawnSync(file, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0)

/** Returns the path of an installed browser of one of the kinds, tried in this order. */
export const findInstalled = (kinds = KINDS) => kinds.flatMap(listCandidates).find(canStart)

/**
 * Whether Playwright can start a browser that it has downloaded itself, given what `chromium.executablePath()` returns: that of the ordinary
 * browser, beside which `npx playwright install --only-shell` puts only the headless shell.
 */
export const hasOwnChromium = (executablePath) =>
  executablePath !== '' && [executablePath, executablePath.replace(/chromium-(\d+).*$/s, 'chromium_headless_shell-$1')].some(existsSync)
