import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { findInstalled } from '#scripts/setup/find-chromium.mjs'

const NOTE = '.cache/chromium.json'
/** Where fontconfig looks for user fonts. */
const HOME = path.resolve('.cache/fonts-home')
const JAPANESE = path.resolve('node_modules/@expo-google-fonts/noto-sans-jp')

type Browsers = { path?: string | undefined; ordinary?: string | undefined }

/** The browsers found by `scripts/setup.mjs`, or by the same rules if a part of the tests runs without it. */
function readBrowsers(): Browsers {
  const requested = process.env.CHROMIUM_PATH
  if (requested) return { path: requested, ordinary: requested }
  const noted: Browsers = existsSync(NOTE) ? JSON.parse(readFileSync(NOTE, 'utf8')) : {}
  if (noted.path && existsSync(noted.path)) return noted
  const path = findInstalled()
  return { path, ordinary: findInstalled(['ordinary']) ?? path }
}

/** Paths of the browsers; undefined if only Playwright's own is left. */
export const browsers = readBrowsers()

/** Adds Japanese fonts: a Linux without a desktop has none, which would falsify every width and every picture. */
function addJapaneseFonts() {
  mkdirSync(HOME, { recursive: true })
  if (!existsSync(path.join(HOME, 'fonts'))) symlinkSync(JAPANESE, path.join(HOME, 'fonts'))
  return { ...process.env, XDG_DATA_HOME: HOME } as Record<string, string>
}

const createLaunchOptions = (executablePath: string | undefined, args: string[] = []) => ({
  ...(executablePath ? { executablePath } : {}),
  ...(process.platform === 'linux' && { env: addJapaneseFonts() }),
  // The last option saves a twentieth of the processor time.
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-background-networking', '--in-process-gpu', ...args],
})

/** Each window of an ordinary Chromium renders the pages of its address bar too, which takes a second of processor time. */
const ADDRESS_BAR = ['AimEnabled', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
/** Playwright disables these as well; its own list does not count beside ours. */
const AS_PLAYWRIGHT = [
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose'],
  ...['HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'NetworkTimeServiceQuerying'],
  ...['OptimizationHints', 'PaintHolding', 'PreconnectToSearch', 'ThirdPartyStoragePartitioning'],
]

export const launchOptions = createLaunchOptions(browsers.path)
/** For tests of features that a headless shell lacks: an ordinary browser requests icons and has windows of its own. */
export const ordinaryLaunchOptions = createLaunchOptions(browsers.ordinary, [`--disable-features=${[...AS_PLAYWRIGHT, ...ADDRESS_BAR]}`])
