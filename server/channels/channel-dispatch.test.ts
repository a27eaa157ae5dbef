import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { LookupFunction } from 'node:net'
import { describe, expect, test } from 'vitest'
import { channels } from '#db/schema/messages.ts'
import { createReceivers, isPublic } from '#server/ports/receivers.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { createChannelDispatcher } from './channel-dispatch.ts'
import { listDeliveries, queueDelivery } from './channels.store.ts'

type Received = { path: string; headers: IncomingHttpHeaders; body: string }

/** A server of somebody else, which answers as told. */
async function startReceiver(answer: (received: Received) => { status: number; headers?: Record<string, string> } | 'silence') {
  const received: Received[] = []
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const one = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString() }
      received.push(one)
      const given = answer(one)
      if (given !== 'silence') response.writeHead(given.status, given.headers).end('thanks')
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  return {
    received,
    port,
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

const signal = () => new AbortController().signal
const request = (url: string) => ({ url, headers: {}, body: '{}' })
/** A resolver for which every name has these addresses. */
const resolveTo =
  (...addresses: string[]): LookupFunction =>
  (_, options, callback) =>
    options.all
      ? callback(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        )
      : callback(null, addresses[0]!, 4)

describe('requests to servers of other people', () => {
  test.each([
    ['8.8.8.8', true],
    ['2606:4700::1111', true],
    ['0.0.0.0', false],
    ['10.0.0.1', false],
    ['100.64.0.1', false],
    ['127.0.0.1', false],
    ['169.254.169.254', false],
    ['172.16.0.1', false],
    ['192.168.1.1', false],
    ['198.18.0.1', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['::', false],
    ['::1', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:a9fe:a9fe', false],
    ['64:ff9b::7f00:1', false],
    ['2002:7f00:1::', false],
    ['fc00::1', false],
    ['fe80::1', false],
    ['ff02::1', false],
    ['hooks.example.org', false],
  ])('the address %s is public: %s', (address, expected) => {
    expect(isPublic(address)).toBe(expected)
  })

  test.each([['10.0.0.1'], ['127.0.0.1'], ['169.254.169.254']])('a name that resolves to %s gets no request', async (address) => {
    await using receiver = await startReceiver(() => ({ status: 200 }))
    const receivers = createReceivers({ lookup: resolveTo(address) })
    expect(await receivers.post(request(`https://hooks.example.org:${receiver.port}/`), signal())).toMatchObject({
      failure: { reason: 'not_allowed' },
    })
    expect(receiver.received).toEqual([])
  })

  test('a name with one public and one private address gets no request', async () => {
    const receivers = createReceivers({ lookup: resolveTo('203.0.114.1', '127.0.0.1') })
    expect(await receivers.post(request('https://hooks.example.org/'), signal())).toMatchObject({ failure: { reason: 'not_allowed' } })
  })

  test('a redirect is not followed', async () => {
    await using inner = await startReceiver(() => ({ status: 200 }))
    await using outer = await startReceiver(() => ({ status: 307, headers: { location: inner.origin } }))
    const receivers = createReceivers({ servers: [outer.origin] })
    expect(await receivers.post(request(outer.origin), signal())).toMatchObject({ failure: { reason: 'status', status: 307 } })
    expect(inner.received).toEqual([])
  })

  test('a server that does not respond is given up, and one that asks to wait is heard', async () => {
    await using silent = await startReceiver(() => 'silence')
    await using busy = await startReceiver(() => ({ status: 429, headers: { 'retry-after': '120' } }))
    const receivers = createReceivers({ servers: [silent.origin, busy.origin], timeoutMs: 200 })
    expect(await receivers.post(request(silent.origin), signal())).toMatchObject({ failure: { reason: 'timeout' } })
    expect(await receivers.post(request(busy.origin), signal())).toEqual({
      failure: { reason: 'status', status: 429 },
      retryAfterMs: 120_000,
    })
  })

  test('without other hosts only the listed servers are allowed', () => {
    const { isAllowed } = createReceivers({ servers: ['http://ntfy.internal'], isOpen: false })
    expect(['http://ntfy.internal/rex', 'https://ntfy.sh/rex', 'http://other.internal/'].map(isAllowed)).toEqual([true, false, false])
  })
})

/** A portal with a webhook at each address, and as many deliveries to it. */
async function startWith(urls: string[], each = 1) {
  const portal = await startPortal()
  const { world, clock } = portal
  const ids = await world.db.write('everything', async (tx) => {
    const at = clock.now()
    const made = await tx
      .insert(channels)
      .values(urls.map((target) => ({ userId: 1, kind: 'webhook' as const, label: 'Hook', target, createdAt: at, verifiedAt: at })))
      .returning({ id: channels.id })
    for (const { id } of made)
      for (let n = 0; n < each; n++) await queueDelivery(tx, { channelId: id, content: { type: 'test' }, isUrgent: false, at })
    return made.map(({ id }) => id)
  })
  return { portal, ids }
}

describe('the dispatcher', () => {
  test('sends each delivery once, though several servers look for work at the same time', async () => {
    await using receiver = await startReceiver(() => ({ status: 200 }))
    const { portal, ids } = await startWith([`${receiver.origin}/one`, `${receiver.origin}/two`], 15)
    await using _ = portal
    const world = { ...portal.world, receivers: createReceivers({ servers: [receiver.origin] }) }
    const dispatchers = [createChannelDispatcher(world), createChannelDispatcher(world), createChannelDispatcher(world)]
    const sent = await Promise.all(dispatchers.map(({ run }) => run()))
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(30)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(30)
    expect(receiver.received).toHaveLength(30)
    for (const id of ids) expect((await listDeliveries(portal.world.db.read, id, 50)).every(({ endedAt }) => endedAt)).toBe(true)
  })

  test('sends what a killed server had claimed, under the same id', async () => {
    await using receiver = await startReceiver(() => ({ status: 200 }))
    const { portal } = await startWith([receiver.origin])
    await using _ = portal
    const receivers = createReceivers({ servers: [receiver.origin] })
    const { db } = portal.world
    let writes = 0
    // It dies after the request and before the record.
    const write: typeof db.write = (lock, work) => (++writes > 1 ? Promise.reject(new Error('killed')) : db.write(lock, work))
    await createChannelDispatcher({ ...portal.world, db: { ...db, write }, receivers }).run()
    expect(receiver.received).toHaveLength(1)
    const again = createChannelDispatcher({ ...portal.world, receivers })
    expect(await again.run()).toBe(0)
    portal.clock.set({ at: new Date(portal.clock.now().getTime() + 61_000) })
    expect(await again.run()).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('a slow receiver delays no other', async () => {
    await using slow = await startReceiver(() => 'silence')
    await using quick = await startReceiver(() => ({ status: 204 }))
    const { portal } = await startWith([slow.origin, quick.origin], 12)
    await using _ = portal
    const receivers = createReceivers({ servers: [slow.origin, quick.origin], timeoutMs: 3000 })
    const running = createChannelDispatcher({ ...portal.world, receivers }).run()
    await expect.poll(() => quick.received.length).toBe(12)
    expect(slow.received).toHaveLength(2)
    await slow[Symbol.asyncDispose]()
    await running
  })
})
