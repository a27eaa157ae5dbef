/**
 * `npm run openapi:clients`: makes clients from docs/openapi.json with common generators, and runs them against a server. It downloads the
 * generators, so no test runs it.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { startPortal } from '#server/test/start-portal.ts'

const DOCUMENT = 'docs/openapi.json'
const FOLDER = '.cache/openapi-clients'
const MODULES = ['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', '--allowImportingTsExtensions']
const COMPILE = ['tsc', '--ignoreConfig', '--noEmit', '--strict', ...MODULES]

/** Uses the types that openapi-typescript makes. */
const TYPES = `import type { components, paths } from './api.d.ts'
type Trackers = paths['/devices/']['get']['responses'][200]['content']['application/json']
export const listNames = (trackers: Trackers): string[] => trackers.map(({ name }) => name)
export const readBattery = ({ tracker_status }: components['schemas']['Device']): number | null => tracker_status.battery
`

/** Uses the client that @hey-api/openapi-ts makes. */
const CLIENT = `import { client } from './hey/client.gen.ts'
import { devicesList, sessionsSignIn, tagsCreate, tagsRemove } from './hey/sdk.gen.ts'
const [base = '', username = '', password = ''] = process.argv.slice(2)
client.setConfig({ baseUrl: base })
const session = await sessionsSignIn({ body: { username, password }, throwOnError: true })
client.setConfig({ baseUrl: base, auth: session.data.token })
const trackers = await devicesList({ throwOnError: true })
const tag = await tagsCreate({ body: { name: 'From a client' }, throwOnError: true })
await tagsRemove({ path: { id: tag.data.id }, throwOnError: true })
console.log(trackers.data.length + ' trackers, the first is ' + trackers.data[0]?.name)
`

const start = promisify(execFile)

async function run(program: string, ...words: string[]) {
  const { stdout } = await start(program, words)
  return stdout.trim()
}

const download = (name: string, ...words: string[]) =>
  run('npm', 'exec', '--yes', `--package=${name}`, '--package=typescript@5.9.3', '--', ...words)

rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
const at = (name: string) => path.join(FOLDER, name)

await download('openapi-typescript@7.13.0', 'openapi-typescript', DOCUMENT, '-o', at('api.d.ts'))
writeFileSync(at('types.ts'), TYPES)
await run('npx', ...COMPILE, at('types.ts'))
console.log('openapi-typescript     its types compile')

await using portal = await startPortal({ noted: false })
await portal.app.listen({ port: 0, host: '127.0.0.1' })
const base = `http://127.0.0.1:${(portal.app.server.address() as AddressInfo).port}`
const account = ['alice@example.com', DEMO_PASSWORD]

await download('@hey-api/openapi-ts@0.95.0', 'openapi-ts', '-i', `./${DOCUMENT}`, '-o', at('hey'), '-c', '@hey-api/client-fetch')
writeFileSync(at('client.ts'), CLIENT)
console.log(`@hey-api/openapi-ts    ${await run('npx', 'tsx', at('client.ts'), base, ...account)}`)

console.log(`Python, no packages    ${await run('python3', 'scripts/openapi/send_examples.py', DOCUMENT, base, ...account)}`)
