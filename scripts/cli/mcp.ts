import { RequestFailed } from '#contracts/mock/connect.ts'
import { type CliContext, type Command, UsageError } from './command.ts'
import type { Field } from './fields.ts'
import { readValues } from './parse-arguments.ts'

/** Revisions of the Model Context Protocol, newest first; the parts used here are the same in all. */
const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

const INSTRUCTIONS = `Controls a local stack of Whereabouts, a portal for GPS trackers whose back end is simulated. A world is an isolated copy of its
state with its own people, clock, mailbox and payments. Make one with world_create, pass its id as “world” to the other tools, and
delete it when you are done; without it they act on “main”, which people may be using. personas lists who can sign in; login returns an address that is
signed in. Time stands still in a new world: clock_advance and clock_until play what is due on the way.`

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const UNKNOWN_METHOD = -32_601
const INVALID_PARAMS = -32_602

/** Longer results are cut, because an assistant has to read them. */
const MAX_RESULT_LENGTH = 50_000

type Message = { id?: string | number | null; method?: unknown; params?: Record<string, unknown> }

class ProtocolError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Makes the commands of the control plane the tools of an MCP server on standard input and output. */
export function createMcpCommand(commands: readonly Command[]): Command {
  const tools = new Map(commands.filter(({ tool }) => tool).map((command) => [toolName(command), command]))
  return {
    name: 'mcp',
    about: 'Serves these commands as tools for an assistant (Model Context Protocol, over standard input and output)',
    fields: [],
    args: [],
    example: 'mcp --world mine',
    async run(_, context) {
      const write = (message: object) => context.io.out(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
      const running = new Set<Promise<void>>()
      for await (const line of context.io.lines()) {
        if (line.trim() === '') continue
        const work = answer(line, tools, context, write).finally(() => running.delete(work))
        running.add(work)
      }
      await Promise.all(running)
      return { data: undefined, text: '' }
    },
  }
}

async function answer(line: string, tools: ReadonlyMap<string, Command>, context: CliContext, write: (message: object) => void) {
  let id: Message['id'] = null
  try {
    const message = parseMessage(line)
    id = message.id ?? null
    const result = await handle(message, tools, context)
    // Notifications get no response.
    if (message.id !== undefined) write({ id, result })
  } catch (error) {
    const { code, message } = error instanceof ProtocolError ? error : new ProtocolError(INVALID_REQUEST, String(error))
    write({ id, error: { code, message } })
  }
}

function parseMessage(line: string): Message {
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    throw new ProtocolError(PARSE_ERROR, 'Parse error')
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) throw new ProtocolError(INVALID_REQUEST, 'Invalid request')
  return message as Message
}

async function handle({ id, method, params = {} }: Message, tools: ReadonlyMap<string, Command>, context: CliContext): Promise<object> {
  if (typeof method !== 'string') throw new ProtocolError(INVALID_REQUEST, 'Invalid request')
  if (id === undefined || method === 'ping') return {}
  if (method === 'initialize') return describeServer(params.protocolVersion)
  if (method === 'tools/list') return { tools: [...tools.values()].map(describeTool) }
  if (method !== 'tools/call') throw new ProtocolError(UNKNOWN_METHOD, `Method not found: ${method}`)
  const command = tools.get(String(params.name))
  if (!command) throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${params.name}`)
  return callTool(command, (params.arguments ?? {}) as Record<string, unknown>, context)
}

const describeServer = (wanted: unknown) => ({
  protocolVersion: REVISIONS.find((revision) => revision === wanted) ?? REVISIONS[0],
  capabilities: { tools: {} },
  serverInfo: { name: 'whereabouts', title: 'Whereabouts', version: '0.1.0' },
  instructions: INSTRUCTIONS,
})

const toolName = ({ name }: Command) => name.replaceAll(/[ -]/g, '_')
/** Options with hyphens are arguments with underscores, as in the API. */
const argumentName = (option: string) => option.replaceAll('-', '_')

const describeTool = (command: Command) => ({
  name: toolName(command),
  description: command.about,
  inputSchema: {
    type: 'object',
    properties: {
      ...Object.fromEntries(command.fields.map((field) => [argumentName(field.name), describeField(field)])),
      ...(!command.isWorldless && { world: { type: 'string', description: 'The id of the world; “main” if left out' } }),
    },
    required: command.fields.filter(({ isRequired }) => isRequired).map(({ name }) => argumentName(name)),
    additionalProperties: false,
  },
  annotations: {
    readOnlyHint: command.tool!.isReadOnly,
    destructiveHint: command.tool!.isDestructive,
    openWorldHint: false,
  },
})

const TYPES: Partial<Record<Field['kind'], string>> = { text: 'string', file: 'string', number: 'number', switch: 'boolean' }

function describeField({ kind, isList, choices, part }: Field) {
  const type = TYPES[kind]
  // Only path parameters are closed lists: other fields may accept further values.
  const values = choices.length > 0 && (part === 'params' ? { enum: choices } : { description: `Such as ${choices.join(', ')}` })
  const one = { ...(type && { type }), ...values }
  return isList ? { type: 'array', items: one } : one
}

async function callTool(command: Command, { world, ...given }: Record<string, unknown>, context: CliContext) {
  try {
    if (world !== undefined && (command.isWorldless || typeof world !== 'string')) throw new UsageError('there is no such world')
    const byOption = new Map(command.fields.map(({ name }) => [argumentName(name), name]))
    const values = readValues(
      command,
      Object.fromEntries(Object.entries(given).map(([name, value]) => [byOption.get(name) ?? name, value])),
    )
    const { data } = await command.run(values, world === undefined ? context : { ...context, client: context.connectTo(String(world)) })
    return { content: [{ type: 'text', text: formatResult(data) }], isError: false }
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof RequestFailed)) throw error
    const details = error instanceof RequestFailed && error.answer ? `\n${JSON.stringify(error.answer)}` : ''
    return { content: [{ type: 'text', text: `${error.message}${details}` }], isError: true }
  }
}

function formatResult(data: unknown) {
  if (data === undefined) return 'done'
  const text = data instanceof Uint8Array ? new TextDecoder().decode(data) : JSON.stringify(data)
  if (text.length <= MAX_RESULT_LENGTH) return text
  return `${text.slice(0, MAX_RESULT_LENGTH)}\n… ${text.length - MAX_RESULT_LENGTH} more characters: ask for less, for example with “limit”`
}
