import { SetupError } from './run.mjs'

const SUPPORTED = '20.20.2 or newer of line 20, 22.12 or newer of line 22, or 24 and newer'

/** The minimum versions come from Vite 8 and the SQLite drivers. */
const isSupported = (version) => {
  const [major = 0, minor = 0, patch = 0] = version.replace(/^v/, '').split('.').map(Number.parseFloat)
  if (major === 20) return minor > 20 || (minor === 20 && patch >= 2)
  return (major === 22 && minor >= 12) || major > 22
}

export const checkNode = (version = process.version) => {
  if (isSupported(version)) return
  throw new SetupError(
    `Node ${version} cannot run Whereabouts; it needs ${SUPPORTED}.\n` +
      'Install one of them (https://nodejs.org, or `nvm install 22`) and run the same command again.',
  )
}
