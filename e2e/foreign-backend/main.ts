/**
 * `npm run foreign-backend -- drf`: a backend with only the documented calls, and the built portal in front of it, at another origin.
 * Flags: `--trackers=10000`, `--delay=2000`, `--failed-page=2`, and any variation by its name, such as `--position=wkt`.
 */
import { parseArgs } from 'node:util'
import { startStaticHost } from '#e2e/static-host.ts'
import { BACKENDS, type BackendName, type Habits } from './habits.ts'
import { createPortalConfig } from './portal-config.ts'
import { startForeignBackend } from './server.ts'
import { PASSWORD } from './state.ts'

const FIRST_PORT = 8600

const { positionals, values } = parseArgs({ allowPositionals: true, strict: false })
const name = positionals[0] ?? 'drf'
const isName = (text: string): text is BackendName => text in BACKENDS
if (!isName(name)) {
  console.error(`foreign-backend: unknown backend ${name}; available: ${Object.keys(BACKENDS).join(', ')}`)
  process.exit(2)
}

const readNumber = (flag: string, otherwise: number) => Number(values[flag] ?? otherwise)

/** Variations named by flags, with the type of the value that they replace. */
const changed = Object.entries(BACKENDS[name] as Habits).flatMap(([habit, usual]) => {
  const value = values[habit]
  return typeof value === 'string' && typeof usual !== 'object' ? [[habit, typeof usual === 'number' ? Number(value) : value]] : []
})

const port = readNumber('port', FIRST_PORT)
const backend = await startForeignBackend(name, {
  port,
  trackers: readNumber('trackers', 18),
  habits: Object.fromEntries(changed) as Partial<Habits>,
  faults: { delayMs: readNumber('delay', 0), failedPage: readNumber('failed-page', 0) },
})
const portal = await startStaticHost(createPortalConfig(backend), port === 0 ? 0 : port + 1)
console.log(`Backend  ${backend.baseUrl} (${name})`)
console.log(`Portal   ${portal.origin}`)
console.log(`Sign in  ${backend.state.users.map(({ email }) => email).join(' or ')} with ${PASSWORD}`)
