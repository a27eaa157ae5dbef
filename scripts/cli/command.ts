import type { Route } from '#contracts/lib/route.ts'
import type { Clients } from '#contracts/mock/connect.ts'
import { control } from '#contracts/mock/index.ts'
import type { Io } from '#scripts/contracts/index.ts'
import { type Field, listFields } from './fields.ts'

/** Invalid arguments; the message says which are valid. */
export class UsageError extends Error {}

export type CommandInput = { params: Record<string, unknown>; query: Record<string, unknown>; body: Record<string, unknown> }

export type CliContext = {
  client: Clients<typeof control>
  /** A client for another world of the same server. */
  connectTo(world: string): Clients<typeof control>
  io: Io & CliPorts
  server: string
  isJson: boolean
  /** Raw arguments after the name of a command that parses them itself. */
  rawArguments: readonly string[]
}

export type CliPorts = {
  open(url: string): void
  /** Runs a Node program of this repository until it exits; resolves with its exit code. */
  start(args: readonly string[], env: Record<string, string>): Promise<number>
  /** Lines of standard input, until it ends. */
  lines(): AsyncIterable<string>
}

/** Result of a command: `data` for `--json`, `text` for people if a table of the data is not enough, `code` unless 0. */
export type CommandResult = { data: unknown; text?: string; code?: number }

export type Command = {
  name: string
  about: string
  fields: readonly Field[]
  /** Positional fields, in order; one that ends with `?` is optional. */
  args: readonly string[]
  example: string
  columns?: readonly string[]
  /** The command is the same in all worlds, so WHEREABOUTS_WORLD is ignored. */
  isWorldless?: boolean
  takesRawArguments?: boolean
  /** An endpoint of the control plane, so the command is a tool for assistants too. */
  tool?: { isReadOnly: boolean; isDestructive: boolean }
  run(values: CommandInput, context: CliContext): Promise<CommandResult>
}

type Options = {
  args?: string[]
  columns?: string[]
  fixed?: Record<string, unknown>
  files?: string[]
  isWorldless?: boolean
  isTool?: boolean
}
/** Calls that only read, although they are POST requests. */
const READING: readonly string[] = ['find', 'count', 'wait', 'verify']

type SendRequest = (input: Partial<CommandInput>) => Promise<unknown>

/** Creates a command that sends one request to the control plane, with all fields of its endpoint. */
export function createCommand(
  words: string,
  name: string,
  example: string,
  { args = [], columns, fixed = {}, files = [], isWorldless = false, isTool = true }: Options = {},
): Command {
  const [noun, verb] = name.split('.') as [keyof typeof control, string]
  const route = (control[noun] as Record<string, Route>)[verb]!
  return {
    name: words,
    about: route.summary,
    fields: listFields(route)
      .filter((field) => !(field.name in fixed))
      .map((field) => (files.includes(field.name) ? { ...field, kind: 'file' } : field)),
    args,
    example,
    isWorldless,
    ...(columns && { columns }),
    ...(isTool && {
      tool: { isReadOnly: READING.includes(verb) || route.method === 'GET', isDestructive: route.method === 'DELETE' || verb === 'reset' },
    }),
    async run({ params, query, body }, { client }) {
      const call = (client[noun] as unknown as Record<string, SendRequest>)[verb]!
      return { data: await call({ params, query, ...(route.body && { body: { ...body, ...fixed } }) }) }
    },
  }
}
