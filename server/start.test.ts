import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSqlite } from '#db/sqlite/open.ts'
import { createInstallation, type Entry, findFreePort, occupyPort, PRODUCTION } from '#server/test/test-process.ts'

type Installed = Awaited<ReturnType<typeof createInstallation>>
type Env = NonNullable<Parameters<Installed['start']>[1]>

const ENTRIES: Entry[] = ['server/main.ts', 'server/mock/main.ts']

/** Starts the program and expects it to exit with one message, no stack trace and a non-zero exit code. */
async function refusal(installed: Installed, entry: Entry, env: Env = {}) {
  const { code, out, err } = await installed.start(entry, { PORT: '0', ...env }).ended
  expect(code, err).toBe(1)
  expect(out).toBe('')
  expect(err).not.toMatch(/^\s+at /m)
  expect(err).not.toMatch(/node:internal|Error:/)
  return err.trim()
}

describe.each(ENTRIES)('refusing to start: %s', (entry) => {
  test('invalid settings are refused, each by name', async () => {
    using installed = await createInstallation()
    const said = await refusal(installed, entry, {
      PORT: 'eighty',
      LOG_LEVEL: 'loud',
      PORTAL_ORIGIN: 'portal.example',
      SEED_ANCHOR: 'today',
    })
    expect(said.split('\n')[0]).toBe('These environment variables cannot be used:')
    expect([...said.matchAll(/^ {2}(\w+): .+$/gm)].map(([, name]) => name)).toEqual(['PORT', 'LOG_LEVEL', 'PORTAL_ORIGIN', 'SEED_ANCHOR'])
  })

  test('a port in use is refused', async () => {
    using installed = await createInstallation()
    await using taken = await occupyPort()
    installed.seed()
    expect(await refusal(installed, entry, { PORT: String(taken.port) })).toBe(
      `Port ${taken.port} is in use. Stop the other program, or choose another port: PORT=${taken.port + 1} npm start`,
    )
  })

  test('a data folder that is a file is refused', async () => {
    using installed = await createInstallation()
    const file = path.join(installed.data, 'a-file')
    writeFileSync(file, 'kept')
    for (const folder of [file, path.join(file, 'below')])
      expect(await refusal(installed, entry, { DATA_DIR: folder })).toBe(
        `The data folder ${folder} cannot be written. Give this user the right to write it, or set DATA_DIR to another folder.`,
      )
    expect(readFileSync(file, 'utf8')).toBe('kept')
  })

  test('a file that is not a database is refused and left unchanged', async () => {
    using installed = await createInstallation()
    writeFileSync(installed.file, 'This is a letter, not a database. '.repeat(300))
    const before = readFileSync(installed.file)
    expect(await refusal(installed, entry)).toBe(
      `The database ${installed.file} is not a database. Restore a backup with "npm run restore -- FILE", or move the file away to begin without its data.`,
    )
    expect(readFileSync(installed.file).equals(before)).toBe(true)
  })

  test('a damaged database is refused and left unchanged', async () => {
    using installed = await createInstallation()
    installed.seed()
    const bytes = readFileSync(installed.file).fill(0xff, 100)
    writeFileSync(installed.file, bytes)
    expect(await refusal(installed, entry)).toBe(
      `The database ${installed.file} is damaged. Restore a backup with "npm run restore -- FILE", or move the file away to begin without its data.`,
    )
    expect(readFileSync(installed.file).subarray(100).equals(bytes.subarray(100))).toBe(true)
  })

  test('a database locked by another program is refused', async () => {
    using installed = await createInstallation()
    installed.seed()
    const other = openSqlite(installed.file)
    other.rawRead.close()
    other.raw.pragma('locking_mode = EXCLUSIVE')
    other.raw.exec('begin exclusive; update users set first_name = first_name; commit')
    expect(await refusal(installed, entry)).toBe(
      `The database ${installed.file} is locked by another program. Stop the other server that uses it, or set DATA_DIR to another folder.`,
    )
    other.raw.close()
  })
})

test('production does not start without its required settings, and names all of them', async () => {
  using installed = await createInstallation()
  const nothing = Object.fromEntries(Object.keys(PRODUCTION).map((name) => [name, undefined]))
  const said = await refusal(installed, 'server/main.ts', nothing)
  expect(said).toBe(
    'Production needs these environment variables: PORTAL_ORIGIN, SECRETS_KEY, SMTP_URL, MAIL_FROM, STRIPE_SECRET_KEY, STRIPE_PUBLIC_KEY, STRIPE_WEBHOOK_SECRET',
  )
})

test.each([
  ['in production', { NODE_ENV: 'production' }, 'does not run with NODE_ENV=production. Start dist/server/main.js instead.'],
  ['with a live key', { STRIPE_SECRET_KEY: 'sk_live_1' }, 'does not run with live payment keys. Remove STRIPE_SECRET_KEY.'],
  ['with a restricted live key', { STRIPE_SECRET_KEY: 'rk_live_1' }, 'does not run with live payment keys.'],
  ['where others can reach it', { HOST: '0.0.0.0' }, 'Set CONTROL_TOKEN (24 characters or more), or HOST=127.0.0.1.'],
] as const)('the mock server does not start %s', async (_, env, words) => {
  using installed = await createInstallation()
  expect(await refusal(installed, 'server/mock/main.ts', env)).toContain(words)
})

test('a host that is not an address of this machine is refused', async () => {
  using installed = await createInstallation()
  expect(await refusal(installed, 'server/main.ts', { HOST: '203.0.113.1' })).toBe(
    '203.0.113.1 is not an address of this machine. Set HOST to one that is, such as 127.0.0.1.',
  )
})

test.each(ENTRIES)('%s finds its files from another current folder, to which DATA_DIR is relative', async (entry) => {
  using installed = await createInstallation()
  const elsewhere = path.join(installed.data, 'elsewhere')
  mkdirSync(path.join(elsewhere, 'own'), { recursive: true })
  const port = String(await findFreePort())
  const program = installed.start(entry, { PORT: port, DATA_DIR: 'own', LOG_LEVEL: 'info' }, [], elsewhere)
  await program.says(entry === 'server/main.ts' ? 'listening' : 'Whereabouts is running')
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('<title>Portal</title>')
  expect(readdirSync(elsewhere)).toEqual(['own'])
  expect(readdirSync(path.join(elsewhere, 'own'))).toContain('whereabouts.db')
})

test.each(['warn', 'error', 'silent'])('the start logs address, release, engine and Node at the log level %s', async (level) => {
  using installed = await createInstallation()
  const port = await findFreePort()
  const server = installed.start('server/main.ts', { PORT: String(port), LOG_LEVEL: level })
  await server.says('listening')
  server.signal('SIGTERM')
  const [line = ''] = (await server.ended).out.split('\n')
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const facts = { address: `http://127.0.0.1:${port}`, release: version, engine: 'sqlite', node: process.versions.node }
  expect(JSON.parse(line)).toMatchObject({ msg: 'listening', ...facts })
})

test('the local stack allows every origin of this machine and sets no rate limits', async () => {
  using installed = await createInstallation()
  installed.seed()
  const port = String(await findFreePort())
  await installed.start('server/mock/main.ts', { PORT: port }).says('Whereabouts is running')
  const at = (url: string) => `http://127.0.0.1:${port}${url}`
  const allowed = async (origin: string) => {
    const headers = { origin, 'access-control-request-method': 'PATCH' }
    return (await fetch(at('/users/settings/'), { method: 'OPTIONS', headers })).headers.get('access-control-allow-origin')
  }
  for (const origin of ['http://localhost:5173', 'http://w-mine.localhost:8080']) expect(await allowed(origin)).toBe(origin)
  expect(await allowed('https://portal.example')).toBeNull()
  const answers = await Promise.all(Array.from({ length: 130 }, () => fetch(at('/tracker_public_share_links/unknown/'))))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
})
