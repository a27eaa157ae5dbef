import { readFileSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Command, Values } from './command.ts'
import type { Field } from './fields.ts'
import { UsageError } from './usage-error.ts'

/** Options of every command. */
export const COMMON = {
  server: { type: 'string' },
  world: { type: 'string' },
  token: { type: 'string' },
  output: { type: 'string', short: 'o' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options']

export type Common = { [K in keyof typeof COMMON]?: (typeof COMMON)[K]['type'] extends 'boolean' ? boolean : string }

/** Marks negative numbers, which parseArgs would take for options. */
const SIGN = '\u0000'
const hide = (arg: string) => (/^-\d/.test(arg) ? SIGN + arg : arg)
const show = (arg: string) => arg.replace(SIGN, '')

/** Parses the arguments of a command into the parts of its request. */
export function valuesOf(command: Command, argv: readonly string[]): { common: Common; values: Values } {
  const { values: typed, positionals } = parsed(command, argv)
  const { server, world, token, output, json, help, ...options } = typed
  const common = { server, world, token, output, json, help } as Common
  const values: Values = { params: {}, query: {}, body: {} }
  if (help) return { common, values }
  for (const [name, value] of Object.entries({ ...options, ...named(command, positionals) })) put(values, fieldOf(command, name), value)
  for (const { name, isRequired, part, path } of command.fields)
    if (isRequired && read(values[part], path) === undefined) throw new UsageError(`--${name} is missing`)
  return { common, values }
}

function parsed(command: Command, argv: readonly string[]) {
  const own = command.fields.map(({ name, kind, isList }) => {
    const type: 'boolean' | 'string' = kind === 'switch' ? 'boolean' : 'string'
    return [name, { type, multiple: isList }] as const
  })
  try {
    return parseArgs({
      args: argv.map(hide),
      options: { ...Object.fromEntries(own), ...COMMON },
      allowPositionals: true,
      allowNegative: true,
    })
  } catch (error) {
    throw new UsageError(show((error as Error).message))
  }
}

function named({ args, words }: Command, positionals: readonly string[]) {
  const names = args.map((arg) => arg.replace(/\?$/, ''))
  if (positionals.length > names.length) throw new UsageError(`${words} takes no “${show(positionals[names.length]!)}”`)
  const missing = args.find((arg, index) => !arg.endsWith('?') && positionals[index] === undefined)
  if (missing) throw new UsageError(`${words} needs ${missing.toUpperCase()}`)
  return Object.fromEntries(positionals.map((value, index) => [names[index]!, value]))
}

const fieldOf = ({ fields }: Command, name: string) => fields.find((field) => field.name === name)!

function put(values: Values, field: Field, value: unknown) {
  const last = field.path.length - 1
  const holder = field.path.slice(0, last).reduce<Record<string, unknown>>((at, key) => {
    at[key] ??= {}
    return at[key] as Record<string, unknown>
  }, values[field.part])
  holder[field.path[last]!] = Array.isArray(value) ? value.map((one) => meant(field, one)) : meant(field, value)
}

const read = (from: Record<string, unknown>, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], from)

function meant({ name, kind }: Field, value: unknown): unknown {
  const text = typeof value === 'string' ? show(value) : value
  if (typeof text !== 'string' || kind === 'text' || kind === 'switch') return text
  if (kind === 'file') return contentOf(text)
  if (kind === 'json' || kind === 'value') return json(text, () => noJson(name, kind, text))
  const number = Number(text)
  if (text.trim() === '' || Number.isNaN(number)) throw new UsageError(`--${name} takes a number, not “${text}”`)
  return number
}

function json(text: string, otherwise: () => unknown): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise()
  }
}

function noJson(name: string, kind: Field['kind'], text: string) {
  if (kind === 'json') throw new UsageError(`--${name}: not JSON: “${text}”`)
  return text
}

const STDIN = 0

/** Reads a file; `-` is standard input. */
function contentOf(path: string) {
  try {
    return readFileSync(path === '-' ? STDIN : path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** Moves common options that precede the command behind it. */
export function commandFirst(argv: readonly string[]): readonly string[] {
  let ahead = 0
  for (const known = Object.entries(COMMON); ; ) {
    const [name, value] = (argv[ahead] ?? '').split('=', 2)
    const option = known.find(([long, one]) => name === `--${long}` || ('short' in one && name === `-${one.short}`))?.[1]
    if (!option) return [...argv.slice(ahead), ...argv.slice(0, ahead)]
    ahead += option.type === 'string' && value === undefined ? 2 : 1
  }
}
