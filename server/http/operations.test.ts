import { isNull } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { paymentEvents, paymentTasks } from '#db/schema/commerce.ts'
import { emails } from '#db/schema/messages.ts'
import { createMailMetrics } from '#server/mail/mail-metrics.ts'
import { startHttp } from '#server/test/test-app.ts'

describe('/healthz and /readyz', () => {
  test('a running server is healthy and ready', async () => {
    await using portal = await startHttp()
    expect((await portal.http().get('/healthz')).body).toEqual({ status: 'ok' })
    const ready = await portal.http().get('/readyz')
    expect([ready.status, ready.body]).toEqual([200, { status: 'ready', database: 'ok', process: 'ok' }])
  })

  test('without its tables the server is healthy but not ready', async () => {
    await using portal = await startHttp()
    portal.world.db.raw.exec('alter table users rename to people')
    const ready = await portal.http().get('/readyz')
    const reasons = ['Tables of this release are missing in the database.']
    expect([ready.status, ready.body]).toEqual([503, { status: 'database not ready', database: 'failed', process: 'ok', reasons }])
    expect((await portal.http().get('/healthz')).status).toBe(200)
  })

  test('before its migrations the server is not ready and reports that', async () => {
    await using portal = await startHttp()
    portal.world.db.raw.exec('delete from __drizzle_migrations')
    const { status, body } = await portal.http().get('/readyz')
    expect([status, body.database, body.reasons]).toEqual([503, 'not ready', ['A migration of this release has not run.']])
  })

  test('on a database that cannot be written the server is not ready and reports that', async () => {
    await using portal = await startHttp()
    await portal.world.db.write('everything', async () => portal.world.db.raw.pragma('query_only = on'))
    const { status, body } = await portal.http().get('/readyz')
    expect([status, body.reasons]).toEqual([503, ['The database accepts no changes: it is a standby, or may only be read.']])
  })

  test('with its database closed the server is healthy but not ready', async () => {
    await using portal = await startHttp()
    portal.world.close()
    expect((await portal.http().get('/readyz')).status).toBe(503)
    expect((await portal.http().get('/healthz')).status).toBe(200)
  })

  test('health endpoints need no session and accept a trailing slash', async () => {
    await using portal = await startHttp()
    for (const url of ['/healthz', '/healthz/', '/readyz', '/readyz/']) expect((await portal.http().get(url)).status).toBe(200)
  })
})

describe('/metrics', () => {
  const lineOf = (text: string, name: string, labels: string[]) =>
    text.split('\n').find((line) => line.startsWith(name) && labels.every((label) => line.includes(label)))

  test('/metrics counts responses by route and status in the Prometheus format', async () => {
    await using portal = await startHttp()
    for (let call = 0; call < 3; call++) await portal.http().get('/devices/7/')
    const { text, headers } = await portal.http().get('/metrics')
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    const line = lineOf(text, 'http_request_duration_seconds_count', ['method="GET"', 'route="/devices/:id/"', 'status="401"'])
    expect(line?.split(' ').at(-1)).toBe('3')
    expect(text).toContain('process_resident_memory_bytes')
  })

  test('/metrics contains route names but never ids or tokens from URLs', async () => {
    await using portal = await startHttp()
    await portal.http().get('/devices/123456789/?token=very-secret')
    await portal.http().get('/someone/guesses/paths')
    const { text } = await portal.http().get('/metrics')
    expect(text).not.toMatch(/123456789|very-secret|guesses/)
    expect(lineOf(text, 'http_request_duration_seconds_count', ['route="none"', 'status="404"'])).toBeDefined()
  })

  test('/metrics shows how late mail and jobs are, and the age of the oldest open payment work', async () => {
    await using portal = await startHttp()
    const read = async () => {
      const { text } = await portal.http().get('/metrics')
      return Object.fromEntries(
        [...text.matchAll(/oldest_due_seconds\{work="(\w+)"\} (\S+)/g)].map(([, work, late]) => [work, Number(late)]),
      )
    }
    expect(Object.keys(await read())).toEqual(['mail', 'job', 'payment'])
    const before = (await read()).payment!
    const [createdAt, nextAttemptAt] = [before + 60, -3600].map((age) => new Date(portal.world.clock.now().getTime() - age * 1000))
    await portal.world.db.write('everything', (tx) =>
      tx.insert(paymentTasks).values({ kind: 'forget', ref: 'cus_1', attempts: 5, nextAttemptAt: nextAttemptAt!, createdAt: createdAt! }),
    )
    expect((await read()).payment).toBe(before + 60)
    const receivedAt = new Date(createdAt!.getTime() - 60_000)
    await portal.world.db.write('everything', (tx) =>
      tx.insert(paymentEvents).values([
        { id: 'evt_1', type: 'invoice.paid', customer: 'cus_1', receivedAt },
        { id: 'evt_2', type: 'invoice.paid', customer: 'cus_1', receivedAt: new Date(0), handledAt: new Date(0) },
      ]),
    )
    expect((await read()).payment).toBe(before + 120)
  })

  test('the age of an unsent mail counts from when it was queued, whatever the attempts, until it is sent or given up', async () => {
    await using portal = await startHttp()
    const { db, clock } = portal.world
    const readAge = async () => Number(/oldest_due_seconds\{work="mail"\} (\S+)/.exec((await portal.http().get('/metrics')).text)?.[1])
    const minutesAgo = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000)
    await db.write('everything', async (tx) => {
      await tx.update(emails).set({ sentAt: clock.now() })
      const mail = { to: 'a@example.org', template: 'confirm_email', language: 'en' as const, data: {} }
      await tx.insert(emails).values([
        { ...mail, createdAt: minutesAgo(90), attempts: 12, givenUpAt: clock.now() },
        { ...mail, createdAt: minutesAgo(30), attempts: 5, nextAttemptAt: minutesAgo(-16) },
      ])
    })
    expect(await readAge()).toBe(1800)
    await db.write('everything', (tx) => tx.update(emails).set({ sentAt: clock.now() }).where(isNull(emails.givenUpAt)))
    expect(await readAge()).toBe(0)
  })

  test('mails are counted by outcome, including given-up ones', async () => {
    await using portal = await startHttp()
    const { world, app } = portal
    const count = createMailMetrics(app.metrics, world)
    for (const outcome of ['sent', 'failed', 'sent', 'given_up'] as const) count(outcome)
    const mail = { to: 'a@example.org', template: 'confirm_email', language: 'en' as const, data: {}, createdAt: world.clock.now() }
    await world.db.write('everything', (tx) => tx.insert(emails).values({ ...mail, givenUpAt: world.clock.now() }))
    const { text } = await portal.http().get('/metrics')
    expect([...text.matchAll(/^mails_(?:total\{outcome="|given_up)(\w*).* (\d+)$/gm)].map(([, name, count]) => [name, count])).toEqual([
      ['sent', '2'],
      ['failed', '1'],
      ['refused', '0'],
      ['given_up', '1'],
      ['', '1'],
    ])
  })

  test('metrics of two servers in one process are separate', async () => {
    await using first = await startHttp()
    await using second = await startHttp()
    await first.http().get('/healthz')
    expect((await second.http().get('/metrics')).text).not.toContain('route="/healthz"')
  })
})

test('/metrics is readable with its token only, and does not exist without one', async () => {
  const token = 'a-token-of-24-characters'
  await using portal = await startHttp({ metrics: { token } })
  const read = async (authorization: string) => (await portal.http().get('/metrics').set({ authorization })).status
  expect([await read(''), await read('Bearer undefined'), await read(`Bearer ${token}`)]).toEqual([404, 404, 200])
  await using closed = await startHttp({ metrics: { token: undefined } })
  for (const authorization of ['', 'Bearer ', 'Bearer undefined'])
    expect((await closed.http().get('/metrics').set({ authorization })).status).toBe(404)
})

test('the API reference can be switched off, and stores no token in the browser', async () => {
  await using closed = await startHttp({ docs: false })
  for (const url of ['/docs', '/docs/', '/docs/json', '/docs/static/swagger-ui.css'])
    expect((await closed.http().get(url)).status).toBe(404)
  await using open = await startHttp()
  const { text } = await open.http().get('/docs/static/swagger-initializer.js')
  expect(text).toContain('SwaggerUIBundle')
  expect(text).not.toMatch(/persistAuthorization["']?\s*:\s*true/)
})
