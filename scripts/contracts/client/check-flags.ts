import { CannotRun } from './cannot-run.ts'
import { addressIn, baseOf, readFlags } from './flags.ts'
import type { Io } from './io.ts'

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
