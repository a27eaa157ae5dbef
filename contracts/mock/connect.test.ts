import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { api } from '#contracts/index.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { connect, parseEvents, RequestFailed } from './connect.ts'
import { control } from './index.ts'

const base = 'http://localhost:8080'

test('one client library reaches the control plane and the API of a world', async () => {
  await using portal = await startPortal()
  const { fetch } = portal
  const made = await connect(control, { base, fetch }).worlds.create({ body: { id: 'mine' } })
  const alice = made.personas.find(({ key }) => key === 'alice')!
  const mine = { base, fetch, world: 'mine' }
  await connect(control, mine).clock.advance({ body: { by: 'P1D' } })
  expect((await connect(control, mine).clock.read()).now).toBe('2026-03-03T09:00:00Z')
  const places = connect(api, { ...mine, token: alice.token }).places
  expect((await places.list({ query: {} })).length).toBeGreaterThan(0)
  await connect(control, { base, fetch }).worlds.remove({ params: { id: 'mine' } })
})

test('a failed request reports the endpoint, the status and the reason', async () => {
  await using portal = await startPortal()
  const calls = connect(control, { base, fetch: portal.fetch })
  await expect(calls.worlds.read({ params: { id: 'nowhere' } })).rejects.toThrow('GET /mock/worlds/:id: 404 not_found')
  await expect(calls.clock.advance({ body: { by: 'soon' } })).rejects.toThrow(/^POST \/mock\/clock\/advance: 400 validation_error by: /)
  const silent = connect(control, { base, fetch: () => Promise.reject(new TypeError('refused')) })
  await expect(silent.worlds.list()).rejects.toMatchObject({ constructor: RequestFailed, status: 0 })
})

test('the error begins with the address of a server that is down, and how to start one', async () => {
  const closed = createServer().listen(0)
  const { port } = closed.address() as { port: number }
  await new Promise((resolve) => closed.close(resolve))
  const there = `http://127.0.0.1:${port}`
  await expect(connect(control, { base: there }).worlds.create({ body: {} })).rejects.toThrow(
    `No server answers at ${there} (ECONNREFUSED): start one with \`npx whereabouts up\`, or set WHEREABOUTS_URL. The call was POST /mock/worlds`,
  )
})

test('a connection cut by a fault is not reported as a server that is down', async () => {
  await using portal = await startPortal()
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = portal.app.server.address() as { port: number }
  const there = { base: `http://127.0.0.1:${port}` }
  await connect(control, there).faults.create({ body: { effect: 'reset', match: { route: 'sessions.options' } } })
  const cut = connect(api, there).sessions.options()
  await expect(cut).rejects.toThrow(`GET /options/: no answer from ${there.base}`)
  await expect(cut).rejects.not.toThrow('No server')
})

test('a wait for a mail that times out lists the mails that arrived instead, or says that there are none', async () => {
  await using portal = await startPortal({ scenario: 'empty' })
  const { mail } = connect(control, { base, fetch: portal.fetch })
  const wait = () => mail.wait({ body: { to: 'nobody@example.com', template: 'invitation', timeout_ms: 1 } })
  await expect(wait()).rejects.toThrow('404 nothing_came\n  the world has no mail')
  const { email } = (await connect(control, { base, fetch: portal.fetch }).scenarios.personas())[0]!
  await connect(api, { base, fetch: portal.fetch }).sessions.requestReset({ body: { email } })
  await expect(wait()).rejects.toThrow(new RegExp(`the newest of the world:\\n {2}mail \\d+ to ${email}, password_reset: `))
})

test('files are downloaded and uploaded unchanged', async () => {
  await using portal = await startPortal()
  const { snapshots } = connect(control, { base, fetch: portal.fetch })
  await snapshots.create({ body: { name: 'kept' } })
  const file = await snapshots.download({ params: { name: 'kept' } })
  await snapshots.add({ query: { name: 'taken-in' }, body: new Blob([file]) })
  expect((await snapshots.list()).map(({ name }) => name)).toEqual(['kept', 'taken-in'])
})

test('events of a world are streamed as they happen', async () => {
  await using portal = await startPortal()
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = portal.app.server.address() as { port: number }
  const calls = connect(control, { base: `http://127.0.0.1:${port}` })
  const leave = new AbortController()
  const happened = parseEvents(await calls.events.watch({}, { signal: leave.signal }))
  await calls.clock.advance({ body: { by: 'PT1M' } })
  const { value } = await happened.next()
  expect(value).toMatchObject({ type: 'clock' })
  leave.abort()
})
