import { expect, test } from 'vitest'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { startPortal } from './start-portal.ts'

const EMAIL = getPersona('alice').email
const AT = { 'x-world': 'blue' }

type Portal = Awaited<ReturnType<typeof startPortal>>
const addWorld = ({ call }: Portal) => call(null, 'POST', '/mock/worlds/', { id: AT['x-world'] })

test('a server that serves a second test sees no world, session, fault or journal of the first', async () => {
  const first = await startPortal()
  const token = await first.token(EMAIL)
  const authorization = `Bearer ${token}`
  expect((await addWorld(first)).status).toBe(201)
  expect((await first.call(EMAIL, 'PATCH', '/users/me/', { first_name: 'Zoe' })).status).toBe(200)
  expect((await first.call(null, 'POST', '/mock/faults/', { effect: 'status', status: 503 })).status).toBe(201)
  await first[Symbol.asyncDispose]()

  await using second = await startPortal()
  expect((await second.call(null, 'GET', '/users/me/', undefined, { authorization })).status).toBe(401)
  expect((await second.call(null, 'GET', '/users/me/', undefined, AT)).status).toBe(404)
  expect((await second.call(EMAIL, 'GET', '/users/me/')).body.first_name).not.toBe('Zoe')
  const { raw } = await second.call(null, 'GET', '/mock/requests')
  expect(String(raw)).toContain('/users/me/')
  expect(String(raw)).not.toMatch(/Zoe|PATCH/)
  expect(first.app.server).toBe(second.app.server)
})

test('two tests at once have two servers', async () => {
  await using first = await startPortal()
  await using second = await startPortal()
  expect((await addWorld(first)).status).toBe(201)
  expect((await second.call(null, 'GET', '/users/me/', undefined, AT)).status).toBe(404)
})

test('a request after the end of its test is refused, and does not reach the next test', async () => {
  const first = await startPortal()
  await first[Symbol.asyncDispose]()
  await using second = await startPortal()
  await expect(first.fetch('/healthz')).rejects.toThrow('closed')
  expect((await second.fetch('/healthz')).status).toBe(200)
})

test('a server whose requests and event streams end with their test serves the next one, without open streams', async () => {
  const first = await startPortal()
  const stream = first.fetch('/devices/live/', { headers: { authorization: `Bearer ${await first.token(EMAIL)}` } })
  const request = first.fetch('/healthz')
  await first[Symbol.asyncDispose]()
  expect((await request).status).toBe(200)
  expect((await stream).status).toBe(200)

  await using second = await startPortal()
  expect(second.app.server).toBe(first.app.server)
  expect(second.app.openStreams.size).toBe(0)
})

test('a server with an unfinished request, a port or a changed part serves no other test', async () => {
  const leave: ((portal: Portal) => Promise<unknown> | unknown)[] = [
    async ({ call, fetch }) => {
      expect((await call(null, 'POST', '/mock/faults/', { effect: 'hang' })).status).toBe(201)
      void fetch('/options/')
    },
    ({ app }) => app.listen({ host: '127.0.0.1', port: 0 }),
    ({ app }) => Object.assign(app.draining, { hasBegun: true }),
    async ({ app, token }) => {
      const headers = { authorization: `Bearer ${await token(EMAIL)}` }
      await app.inject({ url: '/devices/live/', headers, payloadAsStream: true })
    },
  ]
  for (const use of leave) {
    const first = await startPortal()
    await use(first)
    await first[Symbol.asyncDispose]()
    await using second = await startPortal()
    expect((await second.fetch('/readyz')).status).toBe(200)
    expect(second.app.server).not.toBe(first.app.server)
  }
})
