import { writeFileSync } from 'node:fs'
import { CallFailed, connect } from '#contracts/mock/connect.ts'
import { control } from '#contracts/mock/index.ts'
import type { Answer, Command, Context } from './command.ts'
import { commands } from './commands.ts'
import { groupHelp, helpOf, overview } from './help.ts'
import { nearMissesOf, textOf } from './text.ts'
import { UsageError } from './usage-error.ts'
import { type Common, commandFirst, valuesOf } from './values.ts'

const SERVER = 'http://localhost:8080'

/** Runs `whereabouts …` and resolves with the exit code: 0 done, 1 rejected or failed, 2 not understood. */
export async function run(typed: readonly string[], io: Context['io']): Promise<number> {
  const argv = commandFirst(typed)
  const command = commandOf(argv)
  if (!command && (argv.length === 0 || argv.some((arg) => ['--help', '-h', 'help'].includes(arg)))) {
    const group = commands.filter(({ words }) => words.startsWith(`${argv[0]} `))
    io.out(group.length > 0 ? groupHelp(argv[0]!, group) : overview(commands))
    return 0
  }
  let common: Common = {}
  try {
    if (!command) throw new UsageError(`there is no command “${argv.join(' ')}”; whereabouts --help lists them`)
    const rest = argv.slice(command.words.split(' ').length)
    const given = command.takesAll ? { common, values: { params: {}, query: {}, body: {} } } : valuesOf(command, rest)
    common = given.common
    if (common.help) {
      io.out(helpOf(command))
      return 0
    }
    const answer = await command.run(given.values, { ...contextOf(command, common, io), rest })
    tell(command, answer, common, io)
    return answer.code ?? 0
  } catch (error) {
    return complain(error, common, io)
  }
}

/** The longest command that matches the arguments. */
const commandOf = (argv: readonly string[]): Command | undefined =>
  commands
    .filter(({ words }) => words.split(' ').every((word, index) => argv[index] === word))
    .sort((a, b) => b.words.length - a.words.length)[0]

function contextOf({ isWorldless }: Command, { server, world, token, json }: Common, io: Context['io']) {
  const { WHEREABOUTS_WORLD, CONTROL_TOKEN } = io.env
  const base = serverOf({ server }, io)
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol)) throw new UsageError(`“${base}” is no address such as ${SERVER}`)
  const meant = world ?? (isWorldless ? undefined : WHEREABOUTS_WORLD)
  const calls = connect(control, { base, world: meant, token: token ?? CONTROL_TOKEN, fetch: io.fetch })
  return { calls, io, server: base, isJson: json ?? false }
}

const serverOf = ({ server }: Common, { env }: Context['io']) => server ?? env.WHEREABOUTS_URL ?? SERVER

function tell({ columns }: Command, { data, text }: Answer, { json, output }: Common, io: Context['io']) {
  const asJson = () => `${JSON.stringify(data ?? null, null, 1)}\n`
  if (output) writeFileSync(output, data instanceof Uint8Array ? data : asJson())
  else if (data instanceof Uint8Array) io.out(new TextDecoder().decode(data))
  else io.out(json ? asJson() : (text ?? textOf(data, columns)))
}

function complain(error: unknown, common: Common, io: Context['io']) {
  if (error instanceof UsageError) {
    io.err(`whereabouts: ${error.message}\n`)
    return 2
  }
  if (!(error instanceof CallFailed)) throw error
  const reason = error.status === 0 ? `nothing answers at ${serverOf(common, io)}: start it with \`npx whereabouts up\`` : error.message
  io.err(
    common.json
      ? `${JSON.stringify({ error: reason, status: error.status, answer: error.answer ?? null })}\n`
      : `whereabouts: ${reason}\n${nearMissesOf(error.answer)}`,
  )
  return 1
}
