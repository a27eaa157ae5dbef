import { CannotRun } from '#scripts/contracts/client/cannot-run.ts'
import { addressIn, baseOf, readFlags } from '#scripts/contracts/client/flags.ts'

export type ProxyOptions = { base: string; port: number; isJson: boolean; portal: string | undefined }

const text = { type: 'string' } as const
const yes = { type: 'boolean', default: false } as const

export const PROXY_HELP = `Stands between the portal and a real backend, and tells where they break the contract.

  npm run contracts:proxy -- --base URL [flags]

  --port N          where it listens, on this machine alone; 4010 unless told
  --portal DIR      serves the built portal in it as well, so that no CORS is needed
  --format FORMAT   text, or json: a line each

Ctrl-C ends it with a summary. Exit code: 0 clean, 1 the contract was broken, 2 it could not run.

  npm run contracts:proxy -- --base https://api.tracker.example --portal dist/web
`

/** Returns null for `--help`. */
export function proxyFlags(argv: readonly string[]): ProxyOptions | null {
  const values = readFlags(argv, {
    base: text,
    port: { ...text, default: '4010' },
    portal: text,
    format: { ...text, default: 'text' },
    help: { ...yes, short: 'h' },
  })
  if (values.help) return null
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new CannotRun(`--port ${values.port} is no port`)
  if (values.format !== 'text' && values.format !== 'json') throw new CannotRun(`--format ${values.format}: there are text, json`)
  return { base: baseOf(addressIn('--base', values.base)), port, isJson: values.format === 'json', portal: values.portal }
}
