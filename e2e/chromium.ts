import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'

const NOTE = '.cache/chromium-path'
/** Where fontconfig looks for fonts of a person. */
const HOME = path.resolve('.cache/fonts-home')
const JAPANESE = path.resolve('node_modules/@expo-google-fonts/noto-sans-jp')

/** What `scripts/setup.mjs` found; without it Playwright's own browser. */
const found = process.env.CHROMIUM_PATH || (existsSync(NOTE) ? readFileSync(NOTE, 'utf8').trim() : undefined)

/** A Linux without a desktop has no Japanese letters: every width and every picture would be wrong. */
function withJapanese() {
  mkdirSync(HOME, { recursive: true })
  if (!existsSync(path.join(HOME, 'fonts'))) symlinkSync(JAPANESE, path.join(HOME, 'fonts'))
  return { ...process.env, XDG_DATA_HOME: HOME } as Record<string, string>
}

export const launchOptions = {
  ...(found ? { executablePath: found } : {}),
  ...(process.platform === 'linux' && { env: withJapanese() }),
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-background-networking'],
}
