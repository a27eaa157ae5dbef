import { expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'

type Told = { type: string; data: Record<string, unknown> }

/** Reads an event stream. `next` skips events of other types. */
function eventsOf(stream: AsyncIterable<Uint8Array>) {
  const parts = stream[Symbol.asyncIterator]()
  const told: Told[] = []
  return {
    async next(type: string): Promise<Told['data']> {
      for (let event = told.shift(); event; event = told.shift()) if (event.type === type) return event.data
      const { value, done } = await parts.next()
      if (done) throw new Error(`the stream ended without an event of type ${type}`)
      for (const [, name, data] of String(value).matchAll(/^event: (\w+)\ndata: (.*)$/gm))
        told.push({ type: name!, data: JSON.parse(data!) })
      return this.next(type)
    },
  }
}

test('requests, contract violations, mails, clock changes, jobs and alerts are published as they happen', async () => {
  await using portal = await startPortal()
  const answer = await portal.app.inject({ url: '/mock/events', payloadAsStream: true })
  expect(answer.headers['content-type']).toBe('text/event-stream')
  const events = eventsOf(answer.stream())

  await portal.call('alice@example.com', 'PATCH', '/users/settings/', { nick: 'Al' })
  expect(await events.next('request')).toMatchObject({
    route: 'users.changeSettings',
    user: 'alice@example.com',
    status: 200,
    verdict: 'drift',
  })
  expect(await events.next('contract')).toMatchObject({ kind: 'unknown', path: 'body.nick' })
  await portal.call(null, 'POST', '/users/password_reset/', { email: 'bruno@example.com' })
  expect(await events.next('mail')).toMatchObject({ to: 'bruno@example.com', template: 'password_reset', language: 'fr' })
  await portal.call(null, 'POST', '/mock/clock/advance', { by: 'P1D' })
  expect(await events.next('clock')).toEqual({ now: '2026-03-03T09:00:00Z', mode: 'frozen', rate: 1 })
  expect(await events.next('alert')).toMatchObject({ device: expect.any(Number), datetime: expect.any(String) })
  expect(await events.next('job')).toMatchObject({ name: expect.any(String), ref: expect.any(String) })
})

test('a mail is published after another account and its mails were erased', async () => {
  await using portal = await startPortal()
  const events = eventsOf((await portal.app.inject({ url: '/mock/events', payloadAsStream: true })).stream())
  const nina = { email: 'nina@example.org', password: 'Fresh-123', first_name: 'Nina', last_name: 'Novak' }
  await portal.call(null, 'POST', '/users/register', nina)
  expect(await events.next('mail')).toMatchObject({ to: nina.email })
  await portal.call(nina.email, 'DELETE', '/users/me/?profile=all')
  await portal.call(null, 'POST', '/users/password_reset/', { email: 'bruno@example.com' })
  expect(await events.next('mail')).toMatchObject({ to: 'bruno@example.com' })
})

test('the stream carries events of its own world only and ends at a reset', async () => {
  await using portal = await startPortal()
  await portal.worlds.create({ id: 'blue', seed: 1 })
  const stream = (await portal.app.inject({ url: '/mock/events/', headers: { 'x-world': 'blue' }, payloadAsStream: true })).stream()
  await portal.call('alice@example.com', 'GET', '/options/')
  await portal.call(null, 'POST', '/mock/reset', {}, { 'x-world': 'blue' })
  let text = ''
  for await (const part of stream) text += part
  expect(text).toBe(': events\nretry: 2000\n\n')
})
