import { type ParseArgsConfig, parseArgs } from 'node:util'
import { CannotRun, type Io } from './io.ts'

/** Parses flags; an unknown one is reported with a hint at `--help`. */
export function readFlags<const T extends NonNullable<ParseArgsConfig['options']>>(argv: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...argv], options, strict: true }).values
  } catch (error) {
    throw new CannotRun(`${(error as Error).message.split('. ', 1)[0]}; --help tells what there is`)
  }
}

export function addressIn(flag: string, text: string | undefined): URL {
  if (text === undefined) throw new CannotRun(`${flag} is missing; --help tells what there is`)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new CannotRun(`${flag} ${text} is no address such as https://api.tracker.example`)
  return url
}

export const baseOf = ({ origin, pathname }: URL) => (origin + pathname).replace(/\/+$/, '')

export const CHECK_HELP = `Holds a real backend against the contract of the portal.

  npm run contracts:check -- --base URL [flags]

Who signs in (else only what needs nobody is tried):
  --email, --password   or the variables CONTRACTS_EMAIL and CONTRACTS_PASSWORD
  --token TOKEN         a session there is already

What is tried:
  (always)              whether a portal can call it at all, every read, how it refuses
  --origin URL          where the portal runs, for CORS
  --only GLOB           places.list, 'devices.*', '/users/*'
  --write               creates, reads, changes and removes a tag, a contact, a place, links
  --allow-destructive   the rest, when the account is the one in CONTRACTS_DISPOSABLE: it is gone afterwards
  --parity URL          the same reads there, to list what differs; http://name:password@host signs in as another

What comes of it:
  --format LIST         table, json, junit, html; with a file each: table,junit=report.xml,html=report.html
  --record FILE         every call as an HTTP archive, without its secrets
  --baseline FILE       a JSON report of before; what failed then counts no more
  --max-rps N           calls a second, 2 unless told
  --clean-up FILE       what was made and not yet removed, .cache/contracts-clean-up.json unless told

Exit code: 0 clean, 1 something fails that is not in the baseline, 2 it could not run.

  npm run contracts:check -- --base http://localhost:8080 --email alice@example.com --password Demo-1234
  npm run contracts:check -- --base https://api.tracker.example --origin https://portal.example --write
`

export type Credentials = { email: string; password: string }

export const FORMATS = ['table', 'json', 'junit', 'html'] as const
export type Format = (typeof FORMATS)[number]

export type Options = {
  base: string
  /** Null to check without signing in. */
  as: Credentials | { token: string } | null
  /** Origin of a portal that calls the backend across origins, for CORS. */
  origin: string | undefined
  only: string | undefined
  mayWrite: boolean
  mayDestroy: boolean
  parity: { base: string; as: Credentials | null } | undefined
  record: string | undefined
  baseline: string | undefined
  /** A report without a file goes to standard output. */
  formats: { format: Format; file: string | undefined }[]
  rps: number
  cleanUp: string
}

const text = { type: 'string' } as const
const yes = { type: 'boolean', default: false } as const

const FLAGS = {
  base: text,
  email: text,
  password: text,
  token: text,
  origin: text,
  only: text,
  write: yes,
  'allow-destructive': yes,
  parity: text,
  record: text,
  baseline: text,
  format: { ...text, default: 'table' },
  'max-rps': { ...text, default: '2' },
  'clean-up': { ...text, default: '.cache/contracts-clean-up.json' },
  help: { ...yes, short: 'h' },
} as const

/** Returns null for `--help`. */
export function checkFlags(argv: readonly string[], env: Io['env']): Options | null {
  const values = readFlags(argv, FLAGS)
  if (values.help) return null
  const given = { CONTRACTS_EMAIL: env.CONTRACTS_EMAIL, CONTRACTS_PASSWORD: env.CONTRACTS_PASSWORD }
  return {
    base: baseOf(addressIn('--base', values.base)),
    as: credentials(values.token, values.email ?? given.CONTRACTS_EMAIL, values.password ?? given.CONTRACTS_PASSWORD),
    origin: values.origin === undefined ? undefined : addressIn('--origin', values.origin).origin,
    only: values.only,
    mayWrite: values.write,
    mayDestroy: values['allow-destructive'],
    parity: values.parity === undefined ? undefined : parityIn(addressIn('--parity', values.parity)),
    record: values.record,
    baseline: values.baseline,
    formats: formatsIn(values.format),
    rps: rateIn(values['max-rps']),
    cleanUp: values['clean-up'],
  }
}

function credentials(token: string | undefined, email: string | undefined, password: string | undefined): Options['as'] {
  if (token !== undefined) return { token }
  if ((email === undefined) !== (password === undefined)) throw new CannotRun('--email and --password belong together')
  return email === undefined || password === undefined ? null : { email, password }
}

/** The URL may carry other credentials, as `https://name:password@host`. */
const parityIn = (url: URL): Options['parity'] => ({
  base: baseOf(url),
  as: url.username ? { email: decodeURIComponent(url.username), password: decodeURIComponent(url.password) } : null,
})

function formatsIn(given: string): Options['formats'] {
  const formats = given.split(',').map((one) => {
    const [name, file] = one.split('=', 2)
    const format = FORMATS.find((known) => known === name)
    if (!format) throw new CannotRun(`--format ${name}: there are ${FORMATS.join(', ')}`)
    return { format, file }
  })
  if (formats.filter(({ file }) => !file).length > 1)
    throw new CannotRun('--format: give all reports but one a file, as in table,junit=report.xml')
  return formats
}

function rateIn(given: string) {
  const rps = Number(given)
  if (!(rps > 0)) throw new CannotRun(`--max-rps ${given} is no number of calls a second`)
  return rps
}

export type ProxyOptions = { base: string; port: number; isJson: boolean; portal: string | undefined }

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
