import type { Route } from '#contracts/lib/route.ts'
import type { Clients } from '#contracts/mock/connect.ts'
import { control } from '#contracts/mock/index.ts'
import type { Io } from '#scripts/contracts/client/io.ts'
import { type Field, fieldsOf } from './fields.ts'

export type Values = { params: Record<string, unknown>; query: Record<string, unknown>; body: Record<string, unknown> }

export type Context = {
  calls: Clients<typeof control>
  io: Io & Outside
  /** Where the mock server is. */
  server: string
  isJson: boolean
  /** What was typed behind a command that reads it all by itself. */
  rest: readonly string[]
}

/** What commands need beyond the network. */
export type Outside = {
  /** Shows an address in the browser of the machine. */
  open(url: string): void
  /** Runs a program of this repository until it ends; answers its exit code. */
  start(args: readonly string[], env: Record<string, string>): Promise<number>
}

/** What a command answers: `data` for programs; `text` for people where a table of the data would not do. */
export type Answer = { data: unknown; text?: string /** The exit code, unless all went well. */; code?: number }

export type Command = {
  /** How it is called, such as `clock advance`. */
  words: string
  about: string
  fields: readonly Field[]
  /** Fields that need no name, in order; one that ends with `?` may be left out. */
  args: readonly string[]
  example: string
  /** What a table of its answer shows. */
  columns?: readonly string[]
  /** Is the same in all worlds: the one of WHEREABOUTS_WORLD need not be there. */
  isWorldless?: boolean
  /** Takes everything that is typed behind it as it is. */
  takesAll?: boolean
  run(values: Values, context: Context): Promise<Answer>
}

type Options = { args?: string[]; columns?: string[]; fixed?: Record<string, unknown>; files?: string[]; isWorldless?: boolean }
type Caller = (input: Partial<Values>) => Promise<unknown>

/** A command that makes one call of the control plane, with all that the call takes. */
export function callCommand(
  words: string,
  name: string,
  example: string,
  { args = [], columns, fixed = {}, files = [], isWorldless = false }: Options = {},
): Command {
  const [noun, verb] = name.split('.') as [keyof typeof control, string]
  const route = (control[noun] as Record<string, Route>)[verb]!
  return {
    words,
    about: route.summary,
    fields: fieldsOf(route)
      .filter((field) => !(field.name in fixed))
      .map((field) => (files.includes(field.name) ? { ...field, kind: 'file' } : field)),
    args,
    example,
    isWorldless,
    ...(columns && { columns }),
    async run({ params, query, body }, { calls }) {
      const call = (calls[noun] as unknown as Record<string, Caller>)[verb]!
      return { data: await call({ params, query, ...(route.body && { body: { ...body, ...fixed } }) }) }
    },
  }
}
