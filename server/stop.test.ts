import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { expect, test } from 'vitest'
import { openSqlite } from '#db/sqlite/open.ts'
import { PERSONAS } from '#server/mock/seed/records/personas.ts'
import { createInstallation, type Entry, findFreePort } from '#server/test/test-process.ts'

type Installed = Awaited<ReturnType<typeof createInstallation>>

const { email, password } = PERSONAS[0]!
const READY = { 'server/main.ts': 'listening', 'server/mock/main.ts': 'Whereabouts is running' } satisfies Record<Entry, string>

async function run(installed: Installed, entry: Entry, env = {}) {
  const port = String(await findFreePort())
  const server = installed.start(entry, { PORT: port, ...(entry === 'server/main.ts' && { LOG_LEVEL: 'info' }), ...env })
  await server.says(READY[entry])
  return { ...server, at: (path: string) => `http://127.0.0.1:${port}${path}` }
}

async function signIn(at: (path: string) => string) {
  const answer = await fetch(at('/api/v1/auth/web_get_token/'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: email, password }),
  })
  const { token } = await answer.json()
  return { authorization: `Bearer ${token}` }
}

test.each(Object.keys(READY) as Entry[])('%s exits cleanly on SIGTERM, with or without open streams, and loses no data', async (entry) => {
  using installed = await createInstallation()
  installed.seed()
  const server = await run(installed, entry)
  const headers = await signIn(server.at)
  const stream = (await fetch(server.at('/devices/live/'), { headers })).body!.getReader()
  expect(new TextDecoder().decode((await stream.read()).value)).toContain(': live')
  const change = await fetch(server.at('/users/settings/'), {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"firstname":"Alicia"}',
  })
  expect(change.status).toBe(200)

  server.signal('SIGTERM')
  const { code, err } = await server.ended
  expect([code, err]).toEqual([0, ''])
  await expect(fetch(server.at('/healthz'))).rejects.toThrow('fetch failed')

  const db = openSqlite(installed.file)
  expect(db.raw.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(db.raw.prepare('select first_name from users where email = ?').pluck().get(email)).toBe('Alicia')
  db.close()
})

test('an unexpected error is written to stderr, and does not end a server with the worlds of others', async () => {
  using installed = await createInstallation()
  installed.seed()
  // A signal makes the running server throw outside of any request and reject a promise without a handler.
  const failing = "process.on('SIGUSR2', () => { Promise.reject(new Error('lost promise')); throw new Error('lost error') })"
  const server = await run(installed, 'server/mock/main.ts', {
    NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(failing)}"`,
  })
  server.signal('SIGUSR2')
  await expect.poll(server.errors).toMatch(/unexpected error, the server goes on: Error: lost error\n[\s\S]*Error: lost promise/)
  expect((await fetch(server.at('/healthz'))).status).toBe(200)
})

test('requests sent before SIGTERM are answered', async () => {
  using installed = await createInstallation()
  installed.seed()
  const server = await run(installed, 'server/main.ts')
  const headers = await signIn(server.at)
  // These requests can be answered within ten seconds on a busy machine; an account draws one form at a time, and two wait.
  const paths = [...Array(5).fill('/devices/?type=tracker'), ...Array(3).fill('/devices/1/theft_form/')]
  const calls = paths.map((path) => fetch(server.at(path), { headers }).then(({ status }) => status))
  // When the first response arrives, all of them are in progress.
  await Promise.race(calls)
  server.signal('SIGTERM')
  expect(new Set(await Promise.all(calls))).toEqual(new Set([200]))
  expect((await server.ended).code).toBe(0)
})

test('a draining server is not ready, but serves until the load balancer has had time to notice', async () => {
  using installed = await createInstallation()
  const server = await run(installed, 'server/main.ts', { DRAIN_SECONDS: '6' })
  const readReady = async () => (await fetch(server.at('/readyz'))).json()
  expect(await readReady()).toMatchObject({ status: 'ready' })
  server.signal('SIGTERM')
  await expect.poll(readReady).toEqual({
    status: 'draining',
    database: 'ok',
    clock: 'ok',
    process: 'draining',
    reasons: ['The server is shutting down.'],
  })
  expect((await fetch(server.at('/config.json'))).status).toBe(200)
  expect((await server.ended).code).toBe(0)
})

test('the server exits cleanly on Ctrl-C, and the next start finds the data', async () => {
  using installed = await createInstallation()
  installed.seed()
  const first = await run(installed, 'server/mock/main.ts')
  const headers = await signIn(first.at)
  first.signal('SIGINT')
  expect((await first.ended).code).toBe(0)
  const second = await run(installed, 'server/mock/main.ts')
  expect((await fetch(second.at('/options/'), { headers })).status).toBe(200)
  expect(await (await fetch(second.at('/config.json'))).json()).toMatchObject({ demo: { password }, productName: 'Whereabouts' })
})

test('production has no route of the mock server', async () => {
  using installed = await createInstallation()
  const server = await run(installed, 'server/main.ts')
  for (const path of ['/mock/clock', '/mock/mailbox', '/mock/mail', '/mock/tiles/12/1/1.svg', '/mock/stripe/style.css'])
    expect((await fetch(server.at(path))).status, path).toBe(404)
  expect(await (await fetch(server.at('/config.json'))).json()).not.toHaveProperty('demo')
  expect((await fetch(server.at('/readyz'))).status).toBe(200)
  const { status } = await fetch(server.at('/options/'), { headers: { 'x-world': 'blue', authorization: 'Bearer 00' } })
  expect(status).toBe(401)
})

test("a server whose card provider accepts and never responds exits cleanly on SIGTERM, even during a user's request", async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const reached = once(silent, 'request')
  const divert = `const send = globalThis.fetch
    globalThis.fetch = (to, init) => send(String(to).replace('https://api.stripe.com', 'http://127.0.0.1:${port}'), init)`
  using installed = await createInstallation()
  installed.seed()
  const server = await run(installed, 'server/main.ts', { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(divert)}` })
  const headers = { ...(await signIn(server.at)), 'content-type': 'application/json' }
  await reached
  const answer = fetch(server.at('/users/portal/'), { method: 'POST', headers, body: '{"return_path":"/"}' })
  await once(silent, 'request')
  server.signal('SIGTERM')
  expect((await answer).status).toBe(503)
  expect(await server.ended).toMatchObject({ code: 0, err: '' })
  silent.closeAllConnections()
  silent.close()
})

test('a server whose mail server accepts connections and never responds exits cleanly on SIGTERM', async () => {
  const silent = createSocketServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const reached = once(silent, 'connection')
  using installed = await createInstallation()
  installed.seed()
  const server = await run(installed, 'server/main.ts', { SMTP_URL: `smtp://127.0.0.1:${port}`, LOG_LEVEL: 'error' })
  await reached
  server.signal('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0, err: '' })
  silent.close()
})
