import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { listBlocks } from '#server/test/test-guide.ts'
import { commands } from './commands.ts'
import { startTerminal } from './test-terminal.ts'

type Tool = { name: string; inputSchema: object; annotations: object }
type Result = { tools: Tool[]; content: { text: string }[]; isError: boolean; protocolVersion: string }
type Answer = { id: unknown; result?: Result; error?: { code: number; message: string } }

/** Sends messages to `whereabouts mcp` and returns its responses by message id. */
async function speak(messages: readonly (object | string)[], ...options: string[]) {
  await using at = await startTerminal()
  at.input.push(...messages.map((one) => (typeof one === 'string' ? one : JSON.stringify({ jsonrpc: '2.0', ...one }))))
  const { code, out, err } = await at.type('mcp', ...options)
  expect([code, err]).toEqual([0, ''])
  return out
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line): Answer => JSON.parse(line))
}

const call = (id: number, name: string, args: object = {}) => ({ id, method: 'tools/call', params: { name, arguments: args } })

test('the configuration of docs/cli.md starts a server with which an assistant creates a world, moves its clock and reads its mail', async () => {
  await using portal = await startPortal()
  const server = await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const { command, args } = JSON.parse(listBlocks('docs/cli.md').find(({ language }) => language === 'json')!.text).mcpServers.whereabouts
  expect([command, args[0]]).toEqual(['npx', 'whereabouts'])
  const child = spawn(process.execPath, ['scripts/cli/whereabouts.mjs', ...args.slice(1)], {
    env: { ...process.env, WHEREABOUTS_URL: server, WHEREABOUTS_WORLD: undefined, CONTROL_TOKEN: undefined },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let last = 0
  async function ask(method: string, params: object = {}): Promise<Result> {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++last, method, params })}\n`)
    const answer: Answer = JSON.parse((await lines.next()).value)
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: last })
    return answer.result!
  }
  const use = async (name: string, given: object = {}) => {
    const { content, isError } = await ask('tools/call', { name, arguments: given })
    expect([name, isError]).toEqual([name, false])
    return JSON.parse(content[0]!.text)
  }
  const hello = await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } })
  expect(hello).toMatchObject({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'whereabouts' } })
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  expect(await ask('ping')).toEqual({})
  const { tools } = await ask('tools/list')
  const names = tools.map(({ name }) => name)
  for (const name of [
    'world_create',
    'reset',
    'clock_advance',
    'personas',
    'mail_wait',
    'pay_complete',
    'fault_set',
    'requests',
    'violations',
    'sim_position',
  ])
    expect(names).toContain(name)
  expect(await use('world_create', { id: 'mine', scenario: 'family', ttl_seconds: 60 })).toMatchObject({ id: 'mine' })
  expect(await use('clock_advance', { by: 'P1D', world: 'mine' })).toMatchObject({ to: '2026-03-03T09:00:00Z' })
  await use('sim_position', { id: 1, lat: -34.9055, lng: -56.1913, world: 'mine' })
  expect(await use('mail_wait', { to: 'bob@example.net', template: 'place_alert', world: 'mine' })).toMatchObject({
    message: { template: 'place_alert' },
  })
  expect(await use('fault_set', { effect: 'status', status: 503, route: 'places.list', world: 'mine' })).toMatchObject({ status: 503 })
  expect(await use('clock')).toMatchObject({ now: '2026-03-02T09:00:00Z' })
  child.stdin.end()
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
})

test('each command of the control plane is a tool with the fields of its endpoint', async () => {
  const [list] = await speak([{ id: 1, method: 'tools/list' }])
  const { tools } = list!.result!
  expect(tools.length).toBeGreaterThan(60)
  expect(tools.map(({ name }) => name)).toEqual(commands.filter(({ tool }) => tool).map(({ name }) => name.replaceAll(/[ -]/g, '_')))
  const find = (name: string) => tools.find((tool) => tool.name === name)!
  expect(find('sim_position').inputSchema).toMatchObject({
    type: 'object',
    properties: { id: { type: 'number' }, lat: { type: 'number' }, world: { type: 'string' } },
    required: expect.arrayContaining(['id', 'lat', 'lng']),
  })
  expect(find('clock_until').inputSchema).toMatchObject({ properties: { event: { type: 'string' } } })
  expect(find('world_list').inputSchema).toMatchObject({ properties: {}, required: [] })
  expect(find('requests').annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
  expect(find('world_delete').annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true })
})

test('a rejected tool call says why, so that the assistant can correct itself', async () => {
  const answers = await speak([
    call(1, 'clock_advance', { by: 'P1D', speed: 3 }),
    call(2, 'clock_advance', {}),
    call(3, 'mail', { world: 'other' }),
    call(4, 'world_list', { world: 'other' }),
  ])
  const texts = new Map(answers.map(({ id, result }) => [id, [result!.content[0]!.text, result!.isError]]))
  expect(texts.get(1)).toEqual(['there is no speed; known are by', true])
  expect(texts.get(2)).toEqual(['--by is missing', true])
  expect(texts.get(3)).toEqual([expect.stringContaining('unknown_world'), true])
  expect(texts.get(4)).toEqual(['there is no such world', true])
})

test('the world of the command line is the default of every tool, and a long result is cut', async () => {
  const [clock] = await speak([call(1, 'clock', {})], '--world', 'missing')
  expect(clock!.result).toMatchObject({ isError: true })
  const [list] = await speak([call(1, 'mail_preview', { template: 'place_alert' })])
  expect(list!.result!.content[0]!.text).toContain('<html')
})

test('messages outside the protocol get its error codes, and notifications get none', async () => {
  const answers = await speak([
    'no json',
    '[]',
    { id: 'a', method: 'resources/list' },
    { id: 'b', method: 'tools/call', params: { name: 'rm' } },
    { method: 'notifications/cancelled' },
    { id: 'c', method: 'initialize', params: { protocolVersion: '1999-01-01' } },
  ])
  expect(answers.map(({ id, error, result }) => [id, error?.code ?? result!.protocolVersion])).toEqual(
    expect.arrayContaining([
      [null, -32_700],
      [null, -32_600],
      ['a', -32_601],
      ['b', -32_602],
      ['c', '2025-11-25'],
    ]),
  )
  expect(answers).toHaveLength(5)
})

test('the version that the server names is that of the package', async () => {
  const [hello] = await speak([{ id: 1, method: 'initialize' }])
  expect(hello!.result).toMatchObject({ serverInfo: { version: JSON.parse(readFileSync('package.json', 'utf8')).version } })
})
