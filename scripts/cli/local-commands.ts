import { existsSync, openAsBlob } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import { control } from '#contracts/mock/index.ts'
import { type Io, runCheck, runDiff, runProxy } from '#scripts/contracts/index.ts'
import { readConfig } from '#server/config.ts'
import { type Command, createCommand, UsageError } from './command.ts'
import type { Field } from './fields.ts'
import { ROOT } from './system.ts'

const openField: Field = { name: 'open', part: 'query', path: ['open'], kind: 'switch', isList: false, isRequired: false, choices: [] }
const signInCommand = createCommand('login', 'scenarios.login', 'login alice --open', { args: ['persona'] })

export const loginCommand: Command = {
  ...signInCommand,
  fields: [...signInCommand.fields, openField],
  async run({ body, query }, { client, io }) {
    const data = await client.scenarios.login({ body: { persona: String(body.persona) } })
    if (query.open) io.open(data.url)
    return { data, text: `${data.url}\n` }
  },
}

const fileField: Field = { name: 'file', part: 'params', path: ['file'], kind: 'text', isList: false, isRequired: true, choices: [] }
const nameField: Field = { ...fileField, name: 'name', part: 'query', path: ['name'], isRequired: false }

const optionOf = (name: string, kind: Field['kind']): Field => ({
  ...fileField,
  name,
  kind,
  part: 'query',
  path: [name.replaceAll('-', '_')],
  isRequired: false,
})

/** Opens a file of a command's argument. */
function openFile(path: string) {
  if (!existsSync(path)) throw new UsageError(`there is no file ${path}`)
  return openAsBlob(path)
}

const createWorldCommand = createCommand('world create', 'worlds.create', 'world create mine --scenario theft --ttl-seconds 600', {
  args: ['id?'],
  isWorldless: true,
})

const importWorldCommand: Command = {
  name: 'world import',
  about: control.worlds.import.summary,
  fields: [fileField, optionOf('id', 'text'), optionOf('ttl-seconds', 'number')],
  args: ['file', 'id?'],
  example: 'world import mine.json again',
  isWorldless: true,
  async run({ params, query }, { client }) {
    return { data: await client.worlds.import({ query, body: await openFile(String(params.file)) }) }
  },
}

export const worldFileCommands: readonly Command[] = [
  {
    ...createWorldCommand,
    /** `--from` is the name of a snapshot, or of a document, which ends with `.json`. */
    async run(values, context) {
      const { id, from, ttl_seconds, ...others } = values.body
      if (typeof from !== 'string' || !from.endsWith('.json')) return createWorldCommand.run(values, context)
      const [other] = Object.keys(others)
      if (other) throw new UsageError(`a document says itself what --${other.replaceAll('_', '-')} would say`)
      const query = { ...(id !== undefined && { id }), ...(ttl_seconds !== undefined && { ttl_seconds }) }
      return importWorldCommand.run({ params: { file: from }, query, body: {} }, context)
    },
  },
  importWorldCommand,
  createCommand('world export', 'worlds.export', 'world export mine -o mine.json', { args: ['id'], isWorldless: true }),
]

const importCommand: Command = {
  name: 'snapshot import',
  about: control.snapshots.add.summary,
  fields: [fileField, nameField],
  args: ['file', 'name?'],
  example: 'snapshot import before.db',
  isWorldless: true,
  async run({ params, query }, { client }) {
    const path = String(params.file)
    const body = await openFile(path)
    return { data: await client.snapshots.add({ query: { name: String(query.name ?? basename(path, extname(path))) }, body }) }
  },
}

export const snapshotFileCommands: readonly Command[] = [
  createCommand('snapshot download', 'snapshots.download', 'snapshot download before -o before.db', {
    args: ['name'],
    isWorldless: true,
    isTool: false,
  }),
  importCommand,
]

const textField = (name: string): Field => ({
  name,
  part: 'query',
  path: [name],
  kind: 'text',
  isList: false,
  isRequired: false,
  choices: [],
})

/** An installed package is already built, and has no data folder of its own. */
const isPackage = !existsSync(join(ROOT, 'scripts/setup.mjs'))

const VARIABLES = { port: 'PORT', host: 'HOST', data: 'DATA_DIR', anchor: 'SEED_ANCHOR', scenarios: 'SCENARIOS' } as const

export const upCommand: Command = {
  name: 'up',
  about: 'Starts the local stack and runs until it is stopped; in a clone it installs and builds first',
  fields: Object.keys(VARIABLES).map(textField),
  args: [],
  example: 'up --port 8090 --data /tmp/another',
  async run({ query }, { io }) {
    const given = Object.entries(VARIABLES).filter(([name]) => query[name] !== undefined)
    const env: Record<string, string> = Object.fromEntries(given.map(([name, variable]) => [variable, String(query[name])]))
    validateConfig(env)
    if (env.SCENARIOS) env.SCENARIOS = resolve(env.SCENARIOS)
    if (env.DATA_DIR || isPackage) env.DATA_DIR = resolve(env.DATA_DIR ?? '.whereabouts')
    const prepared = isPackage ? 0 : await io.start(['scripts/setup.mjs', 'start'], env)
    const code = prepared === 0 ? await io.start(['dist/server/mock.js'], env) : prepared
    return { data: { code }, text: '', code }
  },
}

const DEFAULT_STRIPE_PORT = 12_111
const MAX_PORT = 65_535

export const stripeCommand: Command = {
  name: 'stripe',
  about: 'Starts the fake Stripe alone, with its state in memory, and runs until it is stopped',
  fields: [optionOf('port', 'number'), optionOf('calls', 'switch')],
  args: [],
  example: 'stripe --port 12111',
  isWorldless: true,
  /** `--calls` prints the calls that the fake supports instead, as the tables of docs/stripe.md. */
  async run({ query }, { io }) {
    if (query.calls) {
      const { formatEndpointTable, formatEventTable, stripeEndpoints } = await import('#server/mock/stripe/index.ts')
      return {
        data: stripeEndpoints.map(({ method, path }) => ({ method, path })),
        text: `${formatEndpointTable(stripeEndpoints)}\n${formatEventTable()}`,
      }
    }
    const port = Number(query.port ?? DEFAULT_STRIPE_PORT)
    if (!Number.isInteger(port) || port < 0 || port > MAX_PORT) throw new UsageError(`--port takes a port such as ${DEFAULT_STRIPE_PORT}`)
    const { serveStripe } = await import('#server/mock/stripe/index.ts')
    const problem = await serveStripe({ port, stop: io.stop, say: io.out }).catch((error: Error) => error)
    if (problem) io.err(`whereabouts: ${problem.message}\n`)
    return { data: { code: problem ? 1 : 0 }, text: '', code: problem ? 1 : 0 }
  },
}

/** Rejects a bad configuration before anything is installed or built. */
function validateConfig(env: Record<string, string>) {
  try {
    readConfig(env)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

type Program = (argv: readonly string[], io: Io) => Promise<number>

const createPassThroughCommand = (words: string, about: string, example: string, program: Program): Command => ({
  name: words,
  about,
  fields: [],
  args: [],
  example,
  takesRawArguments: true,
  async run(_, { rawArguments, io }) {
    const code = await program(rawArguments, io)
    return { data: { code }, text: '', code }
  },
})

/** The checks of a real backend; they parse their own flags and have their own `--help`. */
export const contractsCommands: readonly Command[] = [
  createPassThroughCommand(
    'contracts check',
    'Checks a real backend against the contract',
    'contracts check --base https://api.example.com',
    runCheck,
  ),
  createPassThroughCommand(
    'contracts proxy',
    'Proxies a real backend and checks the traffic against the contract',
    'contracts proxy --base https://api.example.com',
    runProxy,
  ),
  createPassThroughCommand(
    'contracts diff',
    'Compares the contract of an earlier version with today’s: what breaks clients, what may, what does not',
    'contracts diff origin/main',
    (argv, io) => runDiff(argv, io, join(ROOT, 'docs/openapi.json')),
  ),
]
