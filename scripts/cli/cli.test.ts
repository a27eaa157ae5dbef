import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Route } from '#contracts/lib/route.ts'
import { control } from '#contracts/mock/index.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { commands } from './commands.ts'
import { runCli } from './main.ts'
import { parseArguments } from './parse-arguments.ts'
import { splitWords, startTerminal } from './test-terminal.ts'

describe('table of commands', () => {
  const routes = Object.values<Record<string, Route>>(control).flatMap((contract) => Object.values(contract))

  test('every endpoint of the control plane has a command', () => {
    const about = new Set(commands.map((command) => command.about))
    expect(routes.filter(({ summary }) => !about.has(summary)).map(({ path: at }) => at)).toEqual([])
  })

  test('the example of each command is valid and shown in its help', async () => {
    const parsed = commands.filter(({ takesRawArguments }) => !takesRawArguments)
    expect(parsed.length).toBeGreaterThan(60)
    expect(
      await collectFailures(
        parsed,
        ({ name }) => name,
        async (command) => {
          const words = command.name.split(' ')
          const argv = splitWords(command.example)
          expect(argv.slice(0, words.length)).toEqual(words)
          expect(() => parseArguments(command, argv.slice(words.length))).not.toThrow()
          const out: string[] = []
          const io = { out: (text: string) => void out.push(text) } as Parameters<typeof runCli>[1]
          expect(await runCli([...words, '--help'], io)).toBe(0)
          expect(out.join('')).toContain(`whereabouts ${command.example}`)
        },
      ),
    ).toEqual([])
  })
})

test('a world is created, its clock advanced and its mail read from the terminal', async () => {
  await using at = await startTerminal()
  expect(await at.type('world', 'create', 'mine', '--scenario', 'family', '--ttl-seconds', '60')).toMatchObject({ code: 0 })
  expect((await at.type('world', 'list')).out).toMatch(/^ID +SCENARIO .*\nmain .*\nmine +family +memory +2026-03-02T09:00:00Z/)
  expect(await at.json('clock', 'advance', 'P3D', '--world', 'mine')).toMatchObject({ to: '2026-03-05T09:00:00Z' })
  expect((await at.type('clock', '--world', 'mine')).out).toBe('now   2026-03-05T09:00:00Z\nmode  frozen\nrate  1\n')
  expect((await at.type('clock')).out).toContain('2026-03-02T09:00:00Z')
  await at.portal.call(null, 'POST', '/users/password_reset/', { email: 'alice@example.com' }, { 'x-world': 'mine' })
  const { message } = await at.json('mail', 'wait', 'alice@example.com', '--template', 'password_reset', '--world', 'mine')
  expect((await at.type('mail', 'text', String(message.id), '--world', 'mine')).out).toContain(message.text.slice(0, 40))
  expect((await at.type('mail', '--to', 'nobody@example.com', '--world', 'mine')).out).toBe('none\n')
  expect((await at.type('world', 'delete', 'mine')).out).toBe('id  mine\n')
})

test('numbers, lists, switches and nested fields are sent to the control plane', async () => {
  await using at = await startTerminal()
  await at.type('sim', 'position', '1', '-34.9055', '-56.1913')
  expect(await at.json('sim', 'set', '--no-is-running')).toMatchObject({ is_running: false })
  const fault = await at.json('fault', 'set', 'status', '--status', '503', '--route', 'places.list', '--persona', 'alice', '--times', '1')
  expect(fault).toMatchObject({ effect: 'status', status: 503, times: 1, match: { route: 'places.list', persona: 'alice' } })
  expect((await at.portal.call('alice@example.com', 'GET', '/tracker_places/')).status).toBe(503)
  expect(await at.json('requests', 'verify', '--route', 'places.list', '--status', '503')).toEqual({ count: 1 })
  const [made] = await at.json('entity', 'create', 'trackers', '--owner', 'alice', '--traits', 'low_battery', '--data', '{"name":"Zed"}')
  expect(made).toMatchObject({ name: 'Zed' })
})

test('a snapshot is downloaded to a file and imported under another name', async () => {
  await using at = await startTerminal()
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'snapshot-')), 'kept.db')
  await at.type('snapshot', 'save', 'before')
  await at.type('snapshot', 'download', 'before', '-o', file)
  expect(readFileSync(file).subarray(0, 15).toString()).toBe('SQLite format 3')
  expect(await at.json('snapshot', 'import', file, 'after')).toMatchObject({ name: 'after' })
  expect((await at.json('snapshot')).map(({ name }: { name: string }) => name)).toEqual(['before', 'after'])
})

test('a world is exported to a file, and another one is created from it', async () => {
  await using at = await startTerminal()
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'world-')), 'main.json')
  await at.type('world', 'export', 'main', '-o', file)
  expect(await at.json('world', 'create', 'again', '--from', file, '--ttl-seconds', '60')).toMatchObject({
    id: 'again',
    scenario: 'family',
  })
  expect((await at.type('world', 'export', 'again')).out.trim()).toBe(readFileSync(file, 'utf8').trim())
  expect((await at.type('world', 'create', '--from', file, '--scenario', 'theft')).err).toContain('what --scenario would say')
})

test('a tracker drives along the track of a GPX file', async () => {
  await using at = await startTerminal()
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'track-')), 'walk.gpx')
  writeFileSync(file, '<gpx><trkpt lat="-34.9" lon="-56.2"/><trkpt lat="-34.9" lon="-56.19"/></gpx>')
  expect((await at.json('sim', 'drive', '1', '--gpx', file)).metres).toBeGreaterThan(800)
})

test('commands that are the same in all worlds ignore WHEREABOUTS_WORLD, whose world may not exist yet', async () => {
  await using at = await startTerminal()
  at.env.WHEREABOUTS_WORLD = 'mine'
  expect(await at.type('clock')).toMatchObject({ code: 1, err: expect.stringContaining('404 unknown_world') })
  for (const line of ['scenarios', 'mail preview place_alert', 'world list', 'snapshot', 'world create mine'])
    expect(await at.type(...line.split(' '))).toMatchObject({ code: 0, err: '' })
  expect(await at.type('clock', 'advance', 'P1D')).toMatchObject({ code: 0 })
})

test('common options may precede the command', async () => {
  await using at = await startTerminal()
  expect(JSON.parse((await at.type('--json', '--world=main', 'clock')).out)).toMatchObject({ mode: 'frozen' })
  expect((await at.type('--server', at.server, 'clock', 'advance', 'P1D')).code).toBe(0)
})

test('--help after the first word of several commands lists those commands with an example', async () => {
  await using at = await startTerminal()
  for (const [word, example, last] of [
    ['pay', 'whereabouts pay complete cs_test_1 declined', 'pay flush'],
    ['contracts', 'whereabouts contracts check --base', 'contracts proxy'],
  ] as const) {
    const { code, out } = await at.type(word, '--help')
    expect(code).toBe(0)
    expect(out).toContain(example)
    expect(out).toContain(`  ${last} `)
    expect(out).not.toContain('clock advance')
  }
})

test('login prints the portal address of a persona, and --open opens it in the browser', async () => {
  await using at = await startTerminal()
  const { out } = await at.type('login', 'alice', '--open')
  expect(at.opened).toEqual([out.trim()])
  expect(new URL(out.trim()).searchParams.get('hand_off')).toMatch(/^hand_[0-9a-f]{40}$/)
})

test('up prepares and starts the stack on the given port', async () => {
  await using at = await startTerminal()
  expect(await at.type('up', '--port', '8099')).toMatchObject({ code: 0 })
  expect(at.started).toEqual([
    { args: ['scripts/setup.mjs', 'start'], env: { PORT: '8099' } },
    { args: ['dist/server/mock.js'], env: { PORT: '8099' } },
  ])
  expect(await at.type('up', '--port', 'abc')).toMatchObject({ code: 2, err: expect.stringContaining('PORT: ') })
  expect(at.started).toHaveLength(2)
  at.setExitCode(1)
  expect(await at.type('up')).toMatchObject({ code: 1 })
  expect(at.started).toHaveLength(3)
})

test('tail prints one line per event', async () => {
  await using at = await startTerminal()
  const stop = new AbortController()
  const lines: string[] = []
  const io = {
    out: (text: string) => {
      lines.push(text)
      stop.abort()
    },
    env: {},
    fetch,
    stop: stop.signal,
  } as unknown as Parameters<typeof runCli>[1]
  const done = runCli(['tail', '--type', 'request', '--server', at.server], io)
  await expect.poll(() => at.portal.world.events.hasListeners()).toBe(true)
  await at.type('clock', 'advance', 'PT1M')
  await at.portal.call('alice@example.com', 'GET', '/tracker_places/')
  expect(await done).toBe(0)
  expect(lines.join('')).toMatch(/^request +GET +\/tracker_places\/ +200 +[\d.]+ ms +alice@example.com\n$/)
})

describe('failures', () => {
  test('invalid arguments end with exit code 2 and the reason', async () => {
    await using at = await startTerminal()
    const rows: [argv: string[], reason: string][] = [
      [['cloak'], 'unknown command “cloak” (did you mean clock?); whereabouts --help lists all commands'],
      [['sideways'], 'unknown command “sideways”; whereabouts --help lists all commands'],
      [['clock', 'advance'], 'clock advance needs BY, as in: whereabouts clock advance '],
      [['entity', 'list', 'devices'], 'TYPE takes one of '],
      [['clock', 'advance', 'P1D', 'P2D'], 'clock advance does not take “P2D”'],
      [['clock', '--far'], "Unknown option '--far'"],
      [['fault', 'set', 'status', '--status', 'bad'], '--status takes a number, not “bad”'],
      [['snapshot', 'import', '/no/such/file'], 'there is no file /no/such/file'],
      [['world', 'create', '--from', '/no/such.json'], 'there is no file /no/such.json'],
      [['sim', 'drive', '1', '--gpx', '/no/such/file'], '/no/such/file cannot be read: '],
      [['entity', 'create', 'trackers', '--data', '{bad'], '--data takes JSON, not “{bad”'],
      [['tail', '--type', 'bogus'], '--type takes one of request, mail, '],
      [['clock', '--server', 'nonsense'], '“nonsense” is not a URL such as http://localhost:8080'],
      [['clock', '--server', 'localhost:8080'], '“localhost:8080” is not a URL'],
    ]
    expect(
      await collectFailures(
        rows,
        ([argv]) => argv.join(' '),
        async ([argv, reason]) => {
          const { code, err } = await at.type(...argv)
          expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(reason) })
        },
      ),
    ).toEqual([])
  })

  test('a rejected command reports the field and the reason', async () => {
    await using at = await startTerminal()
    expect(await at.type('clock', 'advance', 'soon')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/400 validation_error by: A duration such as P3D or PT5M/),
    })
    expect((await at.type('login', 'alic')).err).toMatch(/persona: “alic” is unknown\. Did you mean alice\? One of alice, /)
    expect((await at.type('snapshot', 'save', 'My Snap')).err).toMatch(/name: At most 60 small letters/)
    expect((await at.type('clock', '--world', 'mien')).err).toMatch(/unknown_world\nThe worlds are main/)
    expect((await at.type('mail', 'wait', '--to', 'nobody@example.com', '--timeout-ms', '1')).err).toMatch(/nothing_came/)
    await at.portal.call('alice@example.com', 'GET', '/users/me/')
    expect((await at.type('requests', 'verify', '--route', 'users.me', '--status', '500')).err).toMatch(
      /409 not_verified\nThere were 0\. .*\nID +METHOD +URL +STATUS +DIFFERS\n1 +GET +\/users\/me\/ +200 +status\n$/,
    )
    const { err } = await at.type('world', 'show', 'nowhere', '--json')
    expect(JSON.parse(err)).toMatchObject({ status: 404, answer: { code: 'not_found' } })
  })

  test('an unreachable server is reported with the command that starts one', async () => {
    const err: string[] = []
    const io = { err: (text: string) => void err.push(text), env: {}, fetch: () => Promise.reject(new TypeError('refused')) }
    expect(await runCli(['clock'], io as unknown as Parameters<typeof runCli>[1])).toBe(1)
    expect(err.join('')).toBe('whereabouts: no server responds at http://localhost:8080: start one with `npx whereabouts up`\n')
  })
})

test('whereabouts without arguments lists all commands', async () => {
  const out: string[] = []
  expect(await runCli([], { out: (text: string) => void out.push(text) } as unknown as Parameters<typeof runCli>[1])).toBe(0)
  for (const { name } of commands) expect(out.join('')).toContain(`  ${name} `)
})

test('doctor reports what works, and how to fix what does not', async () => {
  await using at = await startTerminal()
  const { out } = await at.type('doctor')
  expect(out).toMatch(/database +ok +SQLite opens/)
  expect(out).toMatch(/server +ok +\S+ at http:\/\/127\.0\.0\.1:\d+; world main, family, 2026-03-02T09:00:00Z \(frozen\)/)
  expect(out).toMatch(/portal +BAD +http:\/\/127\.0\.0\.1:\d+ serves no portal/)
  expect((await at.type('doctor')).code).toBe(1)
})
