import { describe, expect, test } from 'vitest'
import { devices } from '#db/schema/devices.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const ask = async (portal: Portal, path: string, body?: object) =>
  (await portal.call(null, body ? 'POST' : 'GET', `/mock/${path}`, body)).body

describe('journal', () => {
  test('the journal lists API requests with user and response, newest first, and leaves out the control plane', async () => {
    await using portal = await startPortal()
    await portal.call(ALICE, 'GET', '/users/orders/')
    await portal.call(null, 'GET', '/mock/clock')
    await portal.call(null, 'PATCH', '/users/settings?x=1', { firstname: 'Al' })
    expect(await ask(portal, 'requests')).toMatchObject([
      { id: 2, method: 'PATCH', url: '/users/settings?x=1', route: 'users.changeSettings', user: null, status: 401, verdict: 'pass' },
      { id: 1, at: '2026-03-02T09:00:00Z', route: 'orders.list', user: ALICE, status: 200, verdict: 'pass', breaches: [], faults: [] },
    ])
    expect(await ask(portal, 'requests?limit=1')).toHaveLength(1)
    await portal.call(null, 'DELETE', '/mock/requests/')
    expect(await ask(portal, 'requests')).toEqual([])
  })

  test('the journal contains no sessions, passwords, tokens, keys or card numbers', async () => {
    await using portal = await startPortal()
    const { body } = await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: ALICE, password: 'Demo-1234' })
    const headers = { authorization: `Bearer ${body.token}`, cookie: 'sessionid=very-secret' }
    await portal.call(null, 'GET', '/users/settings/?token=in-the-address&page=2', undefined, headers)
    await portal.call(null, 'PATCH', '/users/settings/', { firstname: 'Paid by 4242 4242-4242 4242' }, headers)
    await portal.call(null, 'POST', '/users/confirm_email/', { key: 'mailed-key' })
    const har = JSON.stringify(await ask(portal, 'requests.har'))
    for (const secret of ['Demo-1234', body.token, 'very-secret', 'in-the-address', '4242 4242', 'mailed-key'])
      expect(har).not.toContain(secret)
    expect(har).toContain('page=2')
    expect(har).toContain('Paid by [card]')
  })

  test('tracker identifiers are not redacted as card numbers', async () => {
    await using portal = await startPortal()
    await portal.call(ALICE, 'POST', '/devices/trackers/', { identifier: '490154203237518', name: 'Rex' })
    expect((await ask(portal, 'requests'))[0].request.body).toContain('490154203237518')
  })

  test('the journal shows which requests got no response and by which fault', async () => {
    await using portal = await startPortal()
    const { id } = await ask(portal, 'faults', { match: { route: 'users.me' }, effect: 'reset' })
    await portal.call(ALICE, 'GET', '/users/me/').catch(() => undefined)
    expect(await ask(portal, 'requests')).toMatchObject([{ route: 'users.me', status: 0, faults: [id], verdict: 'pass' }])
  })

  test('the journal can be downloaded as an HTTP archive', async () => {
    await using portal = await startPortal()
    await portal.call(ALICE, 'PATCH', '/users/settings/?a=b', { firstname: 'Al' })
    const { log } = await ask(portal, 'requests.har')
    expect(log).toMatchObject({
      version: '1.2',
      entries: [
        {
          startedDateTime: '2026-03-02T09:00:00.000Z',
          request: {
            method: 'PATCH',
            url: 'http://portal.test/users/settings/?a=b',
            queryString: [{ name: 'a', value: 'b' }],
            postData: { text: '{"firstname":"Al"}' },
          },
          response: { status: 200, statusText: 'OK', content: { mimeType: 'application/json; charset=utf-8' } },
          _route: 'users.changeSettings',
        },
      ],
    })
  })

  test('the journal contains the newest thousand requests', async () => {
    await using portal = await startPortal()
    for (let call = 0; call < 1005; call++) await portal.app.inject({ url: '/options/' })
    const all = await ask(portal, 'requests?limit=1000')
    expect([all.length, all[0].id, all.at(-1).id]).toEqual([1000, 1005, 6])
  })

  test('each world has its own journal', async () => {
    await using portal = await startPortal()
    await portal.worlds.create({ id: 'blue', seed: 1 })
    await portal.call(null, 'GET', '/options/', undefined, { 'x-world': 'blue' })
    expect(await ask(portal, 'requests')).toEqual([])
  })
})

describe('journal queries', () => {
  test('requests are found and counted by every property of a match', async () => {
    await using portal = await startPortal()
    const place = { name: 'Vet', type: 'other', address: 'Here', lat: 1, lng: 2, radius: 200 }
    await portal.call(ALICE, 'POST', '/tracker_places/', place)
    await portal.call(ALICE, 'GET', '/devices/?type=tracker')
    const count = async (match: object) => (await ask(portal, 'requests/count', match)).count
    expect(await count({})).toBe(2)
    expect(await count({ method: 'POST', route: 'places.create', persona: 'alice', status: 201 })).toBe(1)
    expect(await count({ body: { name: 'Vet' }, answer: { radius: 200 } })).toBe(1)
    expect(await count({ body: { name: 'Pet' } })).toBe(0)
    expect(await count({ query: { type: 'tracker' } })).toBe(1)
    expect(await count({ after: 1 })).toBe(1)
    expect(await ask(portal, 'requests/find', { route: '/tracker_places/' })).toMatchObject([{ id: 1 }])
    expect((await portal.call(null, 'POST', '/mock/requests/find', { satus: 1 })).status).toBe(400)
  })

  test('verify returns the count, or 409 with the nearest misses', async () => {
    await using portal = await startPortal()
    await portal.call(ALICE, 'PATCH', '/users/settings/', { firstname: 'Al' })
    const verify = (body: object) => portal.call(null, 'POST', '/mock/requests/verify/', body)
    expect(await verify({ route: 'users.changeSettings', count: 1 })).toMatchObject({ status: 200, body: { count: 1 } })
    expect(await verify({ route: 'users.changeSettings', at_most: 0 })).toMatchObject({
      status: 409,
      body: { code: 'not_verified', count: 1 },
    })
    expect(await verify({ route: 'users.changeSettings', body: { firstname: 'Bo' } })).toMatchObject({
      status: 409,
      body: { count: 0, near_misses: [{ id: 1, method: 'PATCH', url: '/users/settings/', status: 200, differs: ['body'] }] },
    })
    expect((await verify({ route: 'users.erase', count: 0 })).status).toBe(200)
    expect((await verify({ route: 'users.erase', at_most: 0 })).status).toBe(200)
    expect((await verify({ route: 'users.erase' })).status).toBe(409)
  })

  test('requests of a call that the API lacks are counted once a stub replaces it, even after the stub was removed', async () => {
    await using portal = await startPortal()
    const route = '/devices/:id/weather/'
    const count = (match: object) => portal.call(null, 'POST', '/mock/requests/count', match)
    expect((await count({ route })).status).toBe(400)
    await portal.call(null, 'POST', '/mock/faults', { match: { route }, effect: 'respond', body: {} })
    expect((await count({ route })).body).toEqual({ count: 0 })
    await portal.call(ALICE, 'GET', '/devices/7/weather/')
    await portal.call(null, 'DELETE', '/mock/faults')
    for (const match of [{ route }, { route, persona: 'alice' }, { route: '/devices/*/weather/' }])
      expect((await count(match)).body).toEqual({ count: 1 })
    expect((await portal.call(null, 'GET', '/mock/requests')).body[0]).toMatchObject({ route: null, url: '/devices/7/weather/' })
  })

  test('a query that can match nothing is rejected instead of counting zero', async () => {
    await using portal = await startPortal()
    const rows = [
      ['find', { route: 'users.ereas' }, 'route', 'No call of the API is named so'],
      ['count', { persona: 'zed' }, 'persona', /^“zed” is unknown\. One of alice, .*, or an e-mail$/],
      ['wait', { route: '/nowhere/', timeout_ms: 1 }, 'route', 'No call of the API is named so'],
      ['verify', { persona: 'zed', count: 0 }, 'persona', /or an e-mail$/],
      ['verify', { at_least: 2, at_most: 1 }, 'at_most', 'Less than at_least'],
      ['verify', { count: 1, at_least: 1 }, 'count', 'Either count, or at_least and at_most'],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([verb, question]) => `${verb} ${JSON.stringify(question)}`,
        async ([verb, question, field, reason]) => {
          expect(await portal.call(null, 'POST', `/mock/requests/${verb}`, question)).toMatchObject({
            status: 400,
            body: { errors: { [field]: [expect.stringMatching(reason)] } },
          })
        },
      ),
    ).toEqual([])
  })

  test('a user outside the scenario is matched by e-mail', async () => {
    await using portal = await startPortal()
    expect(await ask(portal, 'requests/count', { persona: 'made@example.com' })).toEqual({ count: 0 })
  })

  test('wait returns once enough requests were made, or 404 after the timeout', async () => {
    await using portal = await startPortal()
    const waiting = ask(portal, 'requests/wait', { route: 'orders.list', count: 2 })
    await portal.call(ALICE, 'GET', '/users/orders/')
    await portal.call(ALICE, 'GET', '/users/orders/')
    expect(await waiting).toMatchObject([{ id: 2 }, { id: 1 }])
    expect(await portal.call(null, 'POST', '/mock/requests/wait', { route: 'orders.list', count: 3, timeout_ms: 10 })).toMatchObject({
      status: 404,
      body: { code: 'nothing_came', count: 2 },
    })
  })
})

describe('contract violations', () => {
  const violations = (portal: Portal) => ask(portal, 'contract/violations')

  test('a request that violates its contract is a violation, including unknown fields', async () => {
    await using portal = await startPortal()
    await portal.call(ALICE, 'PATCH', '/users/settings/', { firstname: 7, nickname: 'Al' })
    await portal.call(ALICE, 'PATCH', '/users/settings/', { frist_name: 'Al' })
    await portal.call(ALICE, 'GET', '/users/nobody/')
    expect(await violations(portal)).toMatchObject([
      { id: 1, side: 'request', kind: 'invalid', path: 'body.firstname', route: 'users.changeSettings', status: 400 },
      { id: 2, side: 'request', kind: 'unknown', path: 'body.frist_name' },
      { id: 3, side: 'request', kind: 'invalid', route: null, url: '/users/nobody/', message: 'the API has no such call' },
    ])
    await portal.call(null, 'DELETE', '/mock/contract/violations')
    expect(await violations(portal)).toEqual([])
  })

  test('the preset contract_drift causes exactly the violations it lists', async () => {
    await using portal = await startPortal()
    await ask(portal, 'faults/presets/contract_drift', {})
    for (const url of ['/users/settings/', '/devices/', '/tracker_places/', '/options/', '/users/me/']) await portal.call(ALICE, 'GET', url)
    expect((await violations(portal)).map(({ route, kind, path }: Record<string, string>) => `${route} ${kind} ${path}`)).toEqual([
      'users.settings unknown nickname',
      'devices.list invalid *.type',
      'places.list invalid *.radius',
      'sessions.options invalid email_confirmed',
    ])
    expect((await ask(portal, 'requests/find', { verdict: 'drift' })).map(({ route }: { route: string }) => route)).toEqual([
      'users.settings',
    ])
  })

  test('an unexpected 500 is a violation, one caused by a fault is not', async () => {
    await using portal = await startPortal()
    await ask(portal, 'faults', { match: { route: 'users.me' }, effect: 'status', status: 500 })
    await ask(portal, 'faults', { match: { route: 'devices.list' }, effect: 'latency', ms: 1 })
    await portal.world.db.write('everything', (tx) => tx.update(devices).set({ precision: 0.5 }))
    expect((await portal.call(ALICE, 'GET', '/users/me/')).status).toBe(500)
    expect((await portal.call(ALICE, 'GET', '/devices/')).status).toBe(500)
    expect(await violations(portal)).toMatchObject([
      {
        id: 2,
        side: 'response',
        kind: 'invalid',
        path: 'status',
        route: 'devices.list',
        status: 500,
        message: '500 without a fault that causes it',
      },
    ])
    expect((await ask(portal, 'requests')).map(({ verdict }: { verdict: string }) => verdict)).toEqual(['fail', 'pass'])
  })

  test("the server's own responses violate no contract", async () => {
    await using portal = await startPortal()
    const reads = [
      'devices/',
      'devices/1/',
      'devices/1/tracker_data/',
      'devices/1/tracker_data/export_csv/',
      'users/invoices/',
      'devices/99999/',
    ]
    for (const url of reads) await portal.call(ALICE, 'GET', `/${url}`)
    await portal.call(ALICE, 'POST', '/tracker_places/', { name: 'Vet', type: 'other', address: 'Here', lat: 1, lng: 2, radius: 200 })
    await portal.call(null, 'GET', '/app/some/page')
    expect(await violations(portal)).toEqual([])
    expect(await ask(portal, 'requests')).toHaveLength(reads.length + 1)
  })
})

type ReceivedEvent = { type: string; data: Record<string, unknown> }

/** Reads an event stream. `next` skips events of other types. */
function eventsOf(stream: AsyncIterable<Uint8Array>) {
  const parts = stream[Symbol.asyncIterator]()
  const received: ReceivedEvent[] = []
  return {
    async next(type: string): Promise<ReceivedEvent['data']> {
      for (let event = received.shift(); event; event = received.shift()) if (event.type === type) return event.data
      const { value, done } = await parts.next()
      if (done) throw new Error(`the stream ended without an event of type ${type}`)
      for (const [, name, data] of String(value).matchAll(/^event: (\w+)\ndata: (.*)$/gm))
        received.push({ type: name!, data: JSON.parse(data!) })
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
