import { eq, isNull } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import type { SentHook } from '#contracts/mock/outgoing.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { channelDeliveries, channels } from '#db/schema/messages.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { publishLowBattery } from '#server/alerts/publish-alerts.ts'
import { startJobsPortal } from '#server/jobs/test-jobs.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'

const ALICE = 'alice@example.com'
const ZOE = 'zoe@example.com'
const WEBHOOK = { kind: 'webhook', label: 'Home server', url: 'https://hooks.example.org/rex' }
const TELEGRAM = { kind: 'telegram', label: 'Family', token: '123456:AAHrexrexrexrexrexrexrexrexrexrex', chat: '-1001234' }
const NTFY = { kind: 'ntfy', label: 'Tablet', url: 'https://ntfy.sh/rex-4711', token: 'tk_4711' }

/** A portal in which each user has signed in a moment ago. */
async function start() {
  const portal = await startJobsPortal()
  const sessions = new Map<string, string>()
  const call: typeof portal.call = async (who, method, url, body, headers) => {
    if (who === null) return portal.call(null, method, url, body, headers)
    const token = sessions.get(who) ?? (await signInAs(portal.world, who))
    sessions.set(who, token)
    return portal.call(null, method, url, body, { ...headers, authorization: `Bearer ${token}` })
  }
  return { ...portal, call, [Symbol.asyncDispose]: portal[Symbol.asyncDispose] }
}
type Portal = Awaited<ReturnType<typeof start>>

const listHooks = async ({ call }: Portal): Promise<SentHook[]> => (await call(null, 'GET', '/mock/hooks')).body
const newestHook = async (portal: Portal, kind: string) => (await listHooks(portal)).find((hook) => hook.kind === kind)!
const codeIn = ({ body }: SentHook) => /\b\d{6}\b/.exec(body.replaceAll('\\n', ' '))![0]
const isAboutBattery = ({ body }: SentHook) => /low_battery.*Rex|battery of Rex/.test(body)
const isOfBattery = ({ title }: { title: string }) => title === 'The battery of Rex is low'
const answerWith = ({ call }: Portal, answer: object) => call(null, 'PUT', '/mock/hooks/answer', answer)
const advance = ({ call }: Portal, by: string) => call(null, 'POST', '/mock/clock/advance', { by })
const read = async ({ call }: Portal, id: number) =>
  ((await call(ALICE, 'GET', '/users/channels/')).body as { id: number }[]).find((channel) => channel.id === id)

/** A channel that was started with its code. */
async function connect(portal: Portal, channel: { kind: string }, who = ALICE) {
  const { body: created } = await portal.call(who, 'POST', '/users/channels/', channel)
  const code = codeIn(await newestHook(portal, channel.kind))
  const { status, body } = await portal.call(who, 'POST', `/users/channels/${created.id}/verify/`, { code })
  expect([status, body.verified_at]).toEqual([200, expect.any(String)])
  return created as { id: number; secret: string | null }
}

/** Rex reports a low battery. */
async function letBatteryRunLow(portal: Portal, device: number = SEED.devices.rex) {
  const row = await portal.device(device)
  await portal.world.db.write('everything', (tx) => publishLowBattery(tx, row, portal.world.clock.now()))
  await portal.world.receivers?.wake?.()
}

describe('channels', () => {
  test.each([
    ['webhook', WEBHOOK],
    ['telegram', TELEGRAM],
    ['ntfy', NTFY],
  ])('a channel of the kind %s starts with the code that was sent there', async (kind, channel) => {
    await using portal = await start()
    const { status, body } = await portal.call(ALICE, 'POST', '/users/channels/', channel)
    expect([status, body]).toEqual([201, expect.objectContaining({ kind, label: channel.label, verified_at: null, stopped: null })])
    const code = codeIn(await newestHook(portal, kind))
    const wrong = code === '000000' ? '000001' : '000000'
    expect((await portal.call(ALICE, 'POST', `/users/channels/${body.id}/verify/`, { code: wrong })).body.code).toBe('invalid_code')
    expect((await portal.call(ALICE, 'POST', `/users/channels/${body.id}/verify/`, { code })).body.verified_at).toBe('2026-03-02T09:00:00Z')
  })

  test('before its code was typed a channel gets no alerts', async () => {
    await using portal = await start()
    await portal.call(ALICE, 'POST', '/users/channels/', WEBHOOK)
    await letBatteryRunLow(portal)
    expect((await listHooks(portal)).filter(({ kind }) => kind === 'webhook')).toHaveLength(1)
  })

  test('a code is valid for an hour and five attempts, and a new one replaces it', async () => {
    await using portal = await start()
    const { id } = (await portal.call(ALICE, 'POST', '/users/channels/', WEBHOOK)).body
    const first = codeIn(await newestHook(portal, 'webhook'))
    const verify = async (code: string) => (await portal.call(ALICE, 'POST', `/users/channels/${id}/verify/`, { code })).body
    for (let n = 0; n < 5; n++) expect((await verify(first === '000000' ? '000001' : '000000')).code).toBe('invalid_code')
    expect((await verify(first)).code).toBe('expired')
    await portal.call(ALICE, 'POST', `/users/channels/${id}/test/`)
    await advance(portal, 'PT61M')
    expect((await verify(codeIn(await newestHook(portal, 'webhook')))).code).toBe('expired')
    await portal.call(ALICE, 'POST', `/users/channels/${id}/test/`)
    expect((await verify(codeIn(await newestHook(portal, 'webhook')))).verified_at).not.toBeNull()
  })

  test('a list of deliveries does not show the code', async () => {
    await using portal = await start()
    const { id } = (await portal.call(ALICE, 'POST', '/users/channels/', WEBHOOK)).body
    const { body } = await portal.call(ALICE, 'GET', `/users/channels/${id}/deliveries/`)
    expect(body).toMatchObject([{ type: 'code', attempts: 1, failure: null, title: 'Your code for Whereabouts: ······' }])
  })

  test.each([
    ['http://hooks.example.org/', 'url'],
    ['https://localhost/', 'url'],
    ['https://127.0.0.1/', 'url'],
    ['https://10.1.2.3/', 'url'],
    ['https://169.254.169.254/latest/meta-data/', 'url'],
    ['https://[::1]/', 'url'],
    ['https://[::ffff:10.0.0.1]/', 'url'],
    ['https://[64:ff9b::a00:1]/', 'url'],
    ['https://0x7f000001/', 'url'],
    ['https://user:secret@hooks.example.org/', 'url'],
  ])('a webhook at %s is refused', async (url, field) => {
    await using portal = await start()
    const { status, body } = await portal.call(ALICE, 'POST', '/users/channels/', { ...WEBHOOK, url })
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]])
  })

  test.each([
    [{ ...NTFY, url: 'https://ntfy.sh/' }, 'url'],
    [{ ...NTFY, url: 'https://ntfy.sh/a/b' }, 'url'],
    [{ ...TELEGRAM, token: 'none' }, 'token'],
    [{ kind: 'telegram', label: 'Family', token: TELEGRAM.token }, 'chat'],
    [{ kind: 'webhook', label: 'Home' }, 'url'],
  ])('a field that cannot be right is named: %o', async (channel, field) => {
    await using portal = await start()
    const { status, body } = await portal.call(ALICE, 'POST', '/users/channels/', channel)
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]])
  })

  test('a user has at most ten, and sends at most twenty codes and tests an hour', async () => {
    await using portal = await start()
    const ids = []
    for (let n = 0; n < 10; n++) ids.push((await portal.call(ALICE, 'POST', '/users/channels/', WEBHOOK)).body.id)
    expect((await portal.call(ALICE, 'POST', '/users/channels/', WEBHOOK)).body).toMatchObject({ code: 'limit_reached', limit: 10 })
    const statuses = []
    for (let n = 0; n < 11; n++) statuses.push((await portal.call(ALICE, 'POST', `/users/channels/${ids[0]}/test/`)).status)
    expect(statuses).toEqual([...Array(10).fill(200), 429])
  })

  test('another user neither sees nor changes a channel', async () => {
    await using portal = await start()
    const { id } = await connect(portal, WEBHOOK)
    expect((await portal.call(ZOE, 'GET', '/users/channels/')).body).toEqual([])
    for (const [method, path, body] of [
      ['PATCH', '', { on: false }],
      ['DELETE', '', undefined],
      ['POST', 'test/', undefined],
      ['POST', 'verify/', { code: '123456' }],
      ['GET', 'deliveries/', undefined],
    ] as const)
      expect((await portal.call(ZOE, method, `/users/channels/${id}/${path}`, body)).status).toBe(404)
  })

  test('secrets are stored encrypted', async () => {
    await using portal = await start()
    const { secret } = await connect(portal, WEBHOOK)
    await connect(portal, TELEGRAM)
    const stored = JSON.stringify(await portal.world.db.read.query.channels.findMany())
    expect(secret).toMatch(/^whsec_/)
    expect(stored).not.toContain(secret!.slice(6))
    expect(stored).not.toContain(TELEGRAM.token)
  })
})

describe('an alert', () => {
  test('reaches a webhook, signed so that the library of Standard Webhooks accepts it', async () => {
    await using portal = await start()
    const { secret } = await connect(portal, WEBHOOK)
    await letBatteryRunLow(portal)
    const { body, headers, url } = await newestHook(portal, 'webhook')
    expect(url).toBe(WEBHOOK.url)
    const now = Date.now
    Date.now = () => Date.parse('2026-03-02T09:00:00Z')
    try {
      expect(new Webhook(secret!).verify(body, headers)).toEqual({
        type: 'alert.low_battery',
        timestamp: '2026-03-02T09:00:00.000Z',
        data: {
          kind: 'low_battery',
          device: { id: SEED.devices.rex, name: 'Rex' },
          place: null,
          at: '2026-03-02T09:00:00Z',
          position: null,
          address: null,
          url: 'http://portal.test/trackers/1',
        },
      })
      expect(() => new Webhook(secret!).verify(`${body} `, headers)).toThrow()
    } finally {
      Date.now = now
    }
  })

  test('reaches Telegram as a message of the bot, and ntfy as JSON', async () => {
    await using portal = await start()
    await connect(portal, TELEGRAM)
    await connect(portal, NTFY)
    await letBatteryRunLow(portal)
    expect(await newestHook(portal, 'telegram')).toMatchObject({
      url: `https://api.telegram.org/bot${TELEGRAM.token}/sendMessage`,
      json: { chat_id: '-1001234', text: expect.stringMatching(/^The battery of Rex is low\n.*\nhttp:\/\/portal\.test\/trackers\/1$/) },
    })
    expect((await listHooks(portal)).find(({ json }) => json.topic === 'rex-4711')).toMatchObject({
      url: 'https://ntfy.sh/',
      headers: { authorization: 'Bearer tk_4711' },
      json: { topic: 'rex-4711', title: 'The battery of Rex is low', priority: 3, click: 'http://portal.test/trackers/1' },
    })
  })

  test('waits for people until their quiet hours end, but not for programs', async () => {
    await using portal = await start()
    await connect(portal, WEBHOOK)
    await connect(portal, NTFY)
    await portal.call(ALICE, 'PUT', '/users/quiet_hours/', { quiet: { from: '05:00', to: '10:00' } })
    await letBatteryRunLow(portal)
    const list = async () => (await listHooks(portal)).filter(isAboutBattery).map(({ kind, at }) => [kind, at.slice(11, 16)])
    expect(await list()).toEqual([['webhook', '09:00']])
    await advance(portal, 'PT5H')
    expect(await list()).toEqual([
      ['ntfy', '13:00'],
      ['webhook', '09:00'],
    ])
  })

  test('is tried again with growing pauses until it arrives, always under one id', async () => {
    await using portal = await start()
    const { id } = await connect(portal, WEBHOOK)
    await answerWith(portal, { status: 500, kind: 'webhook', minutes: 60 })
    await letBatteryRunLow(portal)
    expect(await read(portal, id)).toMatchObject({ failing_since: '2026-03-02T09:00:00Z', last: { failure: null } })
    await advance(portal, 'PT4H')
    const tries = (await listHooks(portal)).filter((hook) => hook.kind === 'webhook' && isAboutBattery(hook)).toReversed()
    expect(tries.map(({ at, status }) => [at.slice(11, 19), status])).toEqual([
      ['09:00:00', 500],
      ['09:00:15', 500],
      ['09:01:15', 500],
      ['09:06:15', 500],
      ['09:36:15', 500],
      ['11:36:15', 200],
    ])
    expect(new Set(tries.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(await read(portal, id)).toMatchObject({ failing_since: null, last: { failure: null } })
    const { body } = await portal.call(ALICE, 'GET', `/users/channels/${id}/deliveries/`)
    expect(body.find(isOfBattery)).toMatchObject({ type: 'alert', attempts: 6, next_at: null, failure: null })
  })

  test('is given up after eight attempts in about a day, and the channel says why', async () => {
    await using portal = await start()
    const { id } = await connect(portal, WEBHOOK)
    await answerWith(portal, { status: null, kind: 'webhook' })
    await letBatteryRunLow(portal)
    await portal.world.db.write('everything', (tx) =>
      tx.update(channelDeliveries).set({ attempts: 7, nextAttemptAt: portal.world.clock.now() }).where(isNull(channelDeliveries.endedAt)),
    )
    await portal.world.receivers?.wake?.()
    expect(await read(portal, id)).toMatchObject({ stopped: null, last: { failure: { reason: 'timeout', status: null } } })
    const { body } = await portal.call(ALICE, 'GET', `/users/channels/${id}/deliveries/`)
    expect(body[0]).toMatchObject({ attempts: 8, next_at: null, failure: { reason: 'timeout', status: null } })
  })

  test('that finds its receiver gone stops the channel, which a mail tells', async () => {
    await using portal = await start()
    const { id } = await connect(portal, WEBHOOK)
    await answerWith(portal, { status: 410, kind: 'webhook' })
    await letBatteryRunLow(portal)
    expect(await read(portal, id)).toMatchObject({ stopped: { reason: 'gone' } })
    expect(await portal.mails('channel_stopped')).toMatchObject([{ to: ALICE, data: { label: 'Home server', reason: 'gone' } }])
  })

  test('stops a channel at which nothing has arrived for a week, until it is switched on again', async () => {
    await using portal = await start()
    const { id } = await connect(portal, WEBHOOK)
    await answerWith(portal, { status: 503, kind: 'webhook' })
    await letBatteryRunLow(portal)
    expect(await read(portal, id)).toMatchObject({ stopped: null })
    const failingSince = new Date(portal.world.clock.now().getTime() - 7 * DAY_MS)
    await portal.world.db.write('everything', (tx) => tx.update(channels).set({ failingSince }).where(eq(channels.id, id)))
    await letBatteryRunLow(portal, SEED.devices.misty)
    await letBatteryRunLow(portal, SEED.devices.cityBike)
    expect(await read(portal, id)).toMatchObject({ stopped: { reason: 'failing' } })
    expect(await portal.mails('channel_stopped')).toMatchObject([{ data: { reason: 'failing' } }])
    await portal.call(null, 'DELETE', '/mock/hooks')
    expect((await portal.call(ALICE, 'PATCH', `/users/channels/${id}/`, { on: true })).body).toMatchObject({ stopped: null })
    await portal.call(ALICE, 'POST', `/users/channels/${id}/test/`)
    expect(await newestHook(portal, 'webhook')).toMatchObject({ json: { type: 'test' }, status: 200 })
  })

  test('does not reach a channel that was switched off', async () => {
    await using portal = await start()
    const { id } = await connect(portal, WEBHOOK)
    expect((await portal.call(ALICE, 'PATCH', `/users/channels/${id}/`, { on: false })).body.stopped).toMatchObject({ reason: 'user' })
    await letBatteryRunLow(portal)
    expect((await listHooks(portal)).filter(({ body }) => body.includes('alert.low_battery'))).toEqual([])
  })

  test('that waits is removed with its channel', async () => {
    await using portal = await start()
    const { id } = await connect(portal, WEBHOOK)
    await answerWith(portal, { status: 500 })
    await letBatteryRunLow(portal)
    await portal.call(ALICE, 'DELETE', `/users/channels/${id}/`)
    const left = await portal.world.db.read.select().from(channelDeliveries)
    expect(left.filter(({ channelId }) => channelId === id)).toEqual([])
  })
})
