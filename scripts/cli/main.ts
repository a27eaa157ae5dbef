import { writeFileSync } from 'node:fs'
import { findNearest } from '#contracts/mock/choices.ts'
import { connect, RequestFailed } from '#contracts/mock/connect.ts'
import { control } from '#contracts/mock/index.ts'
import { type CliContext, type Command, type CommandResult, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { formatData, formatNearMisses } from './format.ts'
import { formatCommandHelp, formatGroupHelp, formatOverview } from './help.ts'
import { type CommonOptions, moveCommonOptionsLast, parseArguments } from './parse-arguments.ts'

const DEFAULT_SERVER = 'http://localhost:8080'

/** Runs `whereabouts …` and resolves with the exit code: 0 done, 1 rejected or failed, 2 not understood. */
export async function runCli(typed: readonly string[], io: CliContext['io']): Promise<number> {
  const argv = moveCommonOptionsLast(typed)
  const command = findCommand(argv)
  if (!command && (argv.length === 0 || argv.some((arg) => ['--help', '-h', 'help'].includes(arg)))) {
    const group = commands.filter(({ name }) => name.startsWith(`${argv[0]} `))
    io.out(group.length > 0 ? formatGroupHelp(argv[0]!, group) : formatOverview(commands))
    return 0
  }
  let common: CommonOptions = {}
  try {
    if (!command) throw new UsageError(`unknown command “${argv.join(' ')}”${suggestCommand(argv)}; whereabouts --help lists all commands`)
    const rest = argv.slice(command.name.split(' ').length)
    const parsed = command.takesRawArguments ? { common, values: { params: {}, query: {}, body: {} } } : parseArguments(command, rest)
    common = parsed.common
    if (common.help) {
      io.out(formatCommandHelp(command))
      return 0
    }
    const result = await command.run(parsed.values, { ...createContext(command, common, io), rawArguments: rest })
    printResult(command, result, common, io)
    return result.code ?? 0
  } catch (error) {
    return reportError(error, common, io, await listWorlds(error, command, common, io))
  }
}

const findCommand = (argv: readonly string[]): Command | undefined =>
  commands
    .filter(({ name }) => name.split(' ').every((word, index) => argv[index] === word))
    .sort((a, b) => b.name.length - a.name.length)[0]

function createContext({ isWorldless }: Command, { server, world, token, json }: CommonOptions, io: CliContext['io']) {
  const { WHEREABOUTS_WORLD, CONTROL_TOKEN } = io.env
  const base = serverUrl({ server }, io)
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol))
    throw new UsageError(`“${base}” is not a URL such as ${DEFAULT_SERVER}`)
  const chosen = world ?? (isWorldless ? undefined : WHEREABOUTS_WORLD)
  const connectTo = (id: string | undefined) => connect(control, { base, world: id, token: token ?? CONTROL_TOKEN, fetch: io.fetch })
  return { client: connectTo(chosen), connectTo, io, server: base, isJson: json ?? false }
}

const serverUrl = ({ server }: CommonOptions, { env }: CliContext['io']) => server ?? env.WHEREABOUTS_URL ?? DEFAULT_SERVER

function printResult({ columns }: Command, { data, text }: CommandResult, { json, output }: CommonOptions, io: CliContext['io']) {
  const asJson = () => `${JSON.stringify(data ?? null, null, 1)}\n`
  if (output) writeFileSync(output, data instanceof Uint8Array ? data : asJson())
  else if (data instanceof Uint8Array) io.out(new TextDecoder().decode(data))
  else io.out(json ? asJson() : (text ?? formatData(data, columns)))
}

function suggestCommand([first = '']: readonly string[]) {
  const nearest = findNearest(
    first,
    commands.map(({ name }) => name.split(' ')[0]!),
  )
  return nearest ? ` (did you mean ${nearest}?)` : ''
}

/** After `unknown_world`, lists the existing worlds. */
async function listWorlds(error: unknown, command: Command | undefined, common: CommonOptions, io: CliContext['io']) {
  if (!(error instanceof RequestFailed) || error.code !== 'unknown_world' || !command) return ''
  const { client } = createContext({ ...command, isWorldless: true }, { ...common, world: undefined }, io)
  const worlds = await client.worlds.list().catch(() => [])
  return worlds.length > 0 ? `\nThe worlds are ${worlds.map(({ id }) => id).join(', ')}.` : ''
}

function reportError(error: unknown, common: CommonOptions, io: CliContext['io'], more: string) {
  if (error instanceof UsageError) {
    io.err(`whereabouts: ${error.message}\n`)
    return 2
  }
  if (!(error instanceof RequestFailed)) throw error
  const reason =
    error.status === 0 ? `no server responds at ${serverUrl(common, io)}: start one with \`npx whereabouts up\`` : error.message + more
  io.err(
    common.json
      ? `${JSON.stringify({ error: reason, status: error.status, answer: error.answer ?? null })}\n`
      : `whereabouts: ${reason}\n${formatNearMisses(error.answer)}`,
  )
  return 1
}
