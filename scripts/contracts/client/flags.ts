import { type ParseArgsConfig, parseArgs } from 'node:util'
import { CannotRun, type Io } from './io.ts'

function parseFlags<const T extends NonNullable<ParseArgsConfig['options']>>(argv: readonly string[], options: T) {
  try {
    const { values, tokens } = parseArgs({ args: [...argv], options, strict: true, tokens: true })
    const named = tokens.flatMap((token) => (token.kind === 'option' && !options[token.name]?.multiple ? [token.name] : []))
    const twice = named.find((name, index) => named.indexOf(name) !== index)
    if (twice !== undefined) throw new Error(`--${twice} is given twice`)
    return values
  } catch (error) {
    throw new CannotRun(`${(error as Error).message.split('. ', 1)[0]}; --help lists all flags`)
  }
}

function parseUrl(flag: string, text: string | undefined): URL {
  if (text === undefined) throw new CannotRun(`${flag} is missing; --help lists all flags`)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new CannotRun(`${flag} ${text} is not a URL such as https://api.tracker.example`)
  return url
}

const baseUrl = ({ origin, pathname }: URL) => (origin + pathname).replace(/\/+$/, '')

export const CHECK_HELP = `Checks a real backend against the contract of the portal.

  npx whereabouts contracts check --base URL [flags]

Sign-in (without it most is not checked, and the exit code is 2):
  --email, --password   or the variables CONTRACTS_EMAIL and CONTRACTS_PASSWORD
  --token TOKEN         the token of an existing session

Checks:
  (always)              preflight, every read, errors
  --origin URL          the origin of the portal, for CORS
  --only GLOB           places.list, 'devices.*', '/users/*'
  --write               creates, reads, updates and removes a tag, a contact, a place, links
  --allow-destructive   all other endpoints, if the account is the one in CONTRACTS_DISPOSABLE, which is deleted at the end
  --parity URL          compares the same reads with another server; http://name:password@host signs in there

Output:
  --format LIST         table, json, junit, html, all but one with a file: table,junit=report.xml,html=report.html;
                        may be given several times
  --write-config FILE   a /config.json for this backend: its address, what it has, how it signs in; keeps other fields of FILE
  --record FILE         every request as an HTTP archive, without secrets
  --baseline FILE       an earlier JSON report, whose failures are ignored
  --max-rps N           requests per second; 2 by default
  --clean-up FILE       list of objects to remove; .cache/contracts-clean-up.json by default

Exit code: 0 clean, 1 a failure that is not in the baseline, 2 could not run or nobody is signed in.

  npx whereabouts contracts check --base http://localhost:8080 --email alice@example.com --password Demo-1234
  npx whereabouts contracts check --base https://api.tracker.example --origin https://portal.example --write
`

export type Credentials = { email: string; password: string }

export const FORMATS = ['table', 'json', 'junit', 'html'] as const
export type Format = (typeof FORMATS)[number]

export type Options = {
  base: string
  /** Null to check without signing in. */
  as: Credentials | { token: string } | null
  /** Origin of a portal that calls the backend cross-origin, for CORS. */
  origin: string | undefined
  only: string | undefined
  mayWrite: boolean
  mayDestroy: boolean
  parity: { base: string; as: Credentials | null } | undefined
  record: string | undefined
  baseline: string | undefined
  /** A report without a file name is written to standard output. */
  formats: { format: Format; file: string | undefined }[]
  rps: number
  cleanUp: string
  /** The `/config.json` to write for this backend. */
  writeConfig: string | undefined
}

const TEXT = { type: 'string' } as const
const SWITCH = { type: 'boolean', default: false } as const

const FLAGS = {
  base: TEXT,
  email: TEXT,
  password: TEXT,
  token: TEXT,
  origin: TEXT,
  only: TEXT,
  write: SWITCH,
  'allow-destructive': SWITCH,
  parity: TEXT,
  record: TEXT,
  baseline: TEXT,
  format: { ...TEXT, multiple: true },
  'max-rps': { ...TEXT, default: '2' },
  'write-config': TEXT,
  'clean-up': { ...TEXT, default: '.cache/contracts-clean-up.json' },
  help: { ...SWITCH, short: 'h' },
} as const

/** Returns null for `--help`. */
export function parseCheckFlags(argv: readonly string[], env: Io['env']): Options | null {
  const values = parseFlags(argv, FLAGS)
  if (values.help) return null
  const given = { CONTRACTS_EMAIL: env.CONTRACTS_EMAIL, CONTRACTS_PASSWORD: env.CONTRACTS_PASSWORD }
  return {
    base: baseUrl(parseUrl('--base', values.base)),
    as: parseCredentials(values.token, values.email ?? given.CONTRACTS_EMAIL, values.password ?? given.CONTRACTS_PASSWORD),
    origin: values.origin === undefined ? undefined : parseUrl('--origin', values.origin).origin,
    only: values.only,
    mayWrite: values.write,
    mayDestroy: values['allow-destructive'],
    parity: values.parity === undefined ? undefined : parseParity(parseUrl('--parity', values.parity)),
    record: values.record,
    baseline: values.baseline,
    formats: parseFormats(values.format ?? ['table']),
    rps: parseRate(values['max-rps']),
    cleanUp: values['clean-up'],
    writeConfig: values['write-config'],
  }
}

function parseCredentials(token: string | undefined, email: string | undefined, password: string | undefined): Options['as'] {
  if (token !== undefined) return { token }
  if ((email === undefined) !== (password === undefined)) throw new CannotRun('--email and --password must be given together')
  return email === undefined || password === undefined ? null : { email, password }
}

/** The URL may carry other credentials, as `https://name:password@host`. */
const parseParity = (url: URL): Options['parity'] => ({
  base: baseUrl(url),
  as: url.username ? { email: decodeURIComponent(url.username), password: decodeURIComponent(url.password) } : null,
})

function parseFormats(given: string[]): Options['formats'] {
  const formats = given
    .flatMap((list) => list.split(','))
    .map((one) => {
      const [name, file] = one.split('=', 2)
      const format = FORMATS.find((known) => known === name)
      if (!format) throw new CannotRun(`--format ${name}: must be one of ${FORMATS.join(', ')}`)
      return { format, file }
    })
  if (formats.filter(({ file }) => !file).length > 1)
    throw new CannotRun('--format: all reports but one need a file, as in table,junit=report.xml')
  return formats
}

function parseRate(given: string) {
  const rps = Number(given)
  if (!(rps > 0)) throw new CannotRun(`--max-rps ${given} is not a number of requests per second`)
  return rps
}

export type ProxyOptions = {
  base: string
  port: number
  isJson: boolean
  portal: string | undefined
  /** The `/config.json` of that portal, except for the address of the backend. */
  config: string | undefined
  /** File of the HTTP archive. */
  record: string | undefined
  keepPeople: boolean
}

export const PROXY_HELP = `Proxies a real backend and reports where portal and backend violate the contract.

  npx whereabouts contracts proxy --base URL [flags]

  --port N          port on localhost; 4010 by default
  --portal DIR      also serves the built portal of that folder, so that no CORS is needed
  --config FILE     its /config.json, such as the one of contracts check --write-config; apiBaseUrl is replaced
  --format FORMAT   text, or json with one object per line
  --record FILE     writes what passed as an HTTP archive at the end, of which whereabouts world from-har makes a world;
                    secrets, people and places are replaced by made ones
  --keep-people     keeps names, e-mails, phone numbers, addresses and coordinates in it; secrets are replaced all the same

Ctrl-C stops it and prints a summary. Exit code: 0 clean, 1 the contract was violated, 2 could not run.

  npx whereabouts contracts proxy --base https://api.tracker.example --portal dist/web
`

/** Returns null for `--help`. */
export function parseProxyFlags(argv: readonly string[]): ProxyOptions | null {
  const values = parseFlags(argv, {
    base: TEXT,
    port: { ...TEXT, default: '4010' },
    portal: TEXT,
    config: TEXT,
    format: { ...TEXT, default: 'text' },
    record: TEXT,
    'keep-people': SWITCH,
    help: { ...SWITCH, short: 'h' },
  })
  if (values.help) return null
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new CannotRun(`--port ${values.port} is not a port`)
  if (values.format !== 'text' && values.format !== 'json') throw new CannotRun(`--format ${values.format}: must be text or json`)
  return {
    base: baseUrl(parseUrl('--base', values.base)),
    port,
    isJson: values.format === 'json',
    portal: values.portal,
    config: values.config,
    record: values.record,
    keepPeople: values['keep-people'],
  }
}
