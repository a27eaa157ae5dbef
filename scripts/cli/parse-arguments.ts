import { readFileSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Command, type CommandInput, UsageError } from './command.ts'
import type { Field } from './fields.ts'

export const COMMON_OPTIONS = {
  server: { type: 'string' },
  world: { type: 'string' },
  token: { type: 'string' },
  output: { type: 'string', short: 'o' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options']

export type CommonOptions = { [K in keyof typeof COMMON_OPTIONS]?: (typeof COMMON_OPTIONS)[K]['type'] extends 'boolean' ? boolean : string }

/** Marks negative numbers, which parseArgs would take for options. */
const NEGATIVE_MARK = '\u0000'
const maskNegative = (arg: string) => (/^-\d/.test(arg) ? NEGATIVE_MARK + arg : arg)
const unmaskNegative = (arg: string) => arg.replace(NEGATIVE_MARK, '')

export function parseArguments(command: Command, argv: readonly string[]): { common: CommonOptions; values: CommandInput } {
  const { values: typed, positionals } = parseOptions(command, argv)
  const { server, world, token, output, json, help, ...options } = typed
  const common = { server, world, token, output, json, help } as CommonOptions
  const values: CommandInput = { params: {}, query: {}, body: {} }
  if (help) return { common, values }
  for (const [name, value] of Object.entries({ ...options, ...namePositionals(command, positionals, options) }))
    setField(values, findField(command, name)!, value)
  checkRequired(command, values)
  return { common, values }
}

function parseOptions(command: Command, argv: readonly string[]) {
  const own = command.fields.map(({ name, kind, isList }) => {
    const type: 'boolean' | 'string' = kind === 'switch' ? 'boolean' : 'string'
    return [name, { type, multiple: isList }] as const
  })
  try {
    return parseArgs({
      args: argv.map(maskNegative),
      options: { ...Object.fromEntries(own), ...COMMON_OPTIONS },
      allowPositionals: true,
      allowNegative: true,
    })
  } catch (error) {
    throw new UsageError(unmaskNegative((error as Error).message))
  }
}

/** A positional field may be typed as an option too. */
function namePositionals({ args, name, example }: Command, positionals: readonly string[], options: object) {
  const names = args.map((arg) => arg.replace(/\?$/, ''))
  if (positionals.length > names.length) throw new UsageError(`${name} does not take “${unmaskNegative(positionals[names.length]!)}”`)
  const missing = args.find((arg, index) => !arg.endsWith('?') && positionals[index] === undefined && !Object.hasOwn(options, arg))
  if (missing) throw new UsageError(`${name} needs ${missing.toUpperCase()}, as in: whereabouts ${example}`)
  return Object.fromEntries(positionals.map((value, index) => [names[index]!, value]))
}

/** Builds the input of a command from parsed values, by the names of its options. Throws for unknown and missing names. */
export function readValues(command: Command, given: Record<string, unknown>): CommandInput {
  const values: CommandInput = { params: {}, query: {}, body: {} }
  for (const [name, value] of Object.entries(given)) {
    const field = findField(command, name)
    if (!field) throw new UsageError(`there is no ${name}; known are ${command.fields.map((one) => one.name).join(', ') || 'no arguments'}`)
    setField(values, { ...field, kind: field.kind === 'file' ? 'text' : field.kind }, value)
  }
  checkRequired(command, values)
  return values
}

function checkRequired({ fields }: Command, values: CommandInput) {
  for (const { name, isRequired, part, path } of fields)
    if (isRequired && valueAt(values[part], path) === undefined) throw new UsageError(`--${name} is missing`)
}

const findField = ({ fields }: Command, name: string) => fields.find((field) => field.name === name)

function setField(values: CommandInput, field: Field, value: unknown) {
  const last = field.path.length - 1
  const holder = field.path.slice(0, last).reduce<Record<string, unknown>>((at, key) => {
    at[key] ??= {}
    return at[key] as Record<string, unknown>
  }, values[field.part])
  holder[field.path[last]!] = Array.isArray(value) ? value.map((one) => convertValue(field, one)) : convertValue(field, value)
}

const valueAt = (from: Record<string, unknown>, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], from)

function convertValue({ name, kind, part, choices }: Field, value: unknown): unknown {
  const text = typeof value === 'string' ? unmaskNegative(value) : value
  // Other fields may accept further values.
  if (part === 'params' && choices.length > 0 && !choices.includes(String(text)))
    throw new UsageError(`${name.toUpperCase()} takes one of ${choices.join(', ')}, not “${text}”`)
  if (typeof text !== 'string' || kind === 'text' || kind === 'switch') return text
  if (kind === 'file') return readContent(text)
  if (kind === 'json' || kind === 'value') return parseJson(text, () => acceptText(name, kind, text))
  const number = Number(text)
  if (text.trim() === '' || Number.isNaN(number)) throw new UsageError(`--${name} takes a number, not “${text}”`)
  return number
}

function parseJson(text: string, otherwise: () => unknown): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise()
  }
}

function acceptText(name: string, kind: Field['kind'], text: string) {
  if (kind === 'json') throw new UsageError(`--${name} takes JSON, not “${text}”`)
  return text
}

const STDIN = 0

/** Reads a file; `-` is standard input. */
function readContent(path: string) {
  try {
    return readFileSync(path === '-' ? STDIN : path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** Moves common options that precede the command behind it. */
export function moveCommonOptionsLast(argv: readonly string[]): readonly string[] {
  let ahead = 0
  for (const known = Object.entries(COMMON_OPTIONS); ; ) {
    const [name, value] = (argv[ahead] ?? '').split('=', 2)
    const option = known.find(([long, one]) => name === `--${long}` || ('short' in one && name === `-${one.short}`))?.[1]
    if (!option) return [...argv.slice(ahead), ...argv.slice(0, ahead)]
    ahead += option.type === 'string' && value === undefined ? 2 : 1
  }
}
