import { eq, isNull } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import type { SentHook } from '#contracts/mock/outgoing.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { channelDeliveries, channels } from '#db/schema/messages.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import {
  ALICE,
  advance,
  connectChannel,
  letBatteryRunLow,
  listHooks,
  NTFY,
  newestHook,
  type Portal,
  startWithSessions,
  TELEGRAM,
  WEBHOOK,
} from './test-channels.ts'

const isAboutBattery = ({ body }: SentHook) => /low_battery.*Rex|battery of Rex/.test(body)
const isOfBattery = ({ title }: { title: string }) => title === 'The battery of Rex is low'
const answerWith = ({ call }: Portal, answer: object) => call(null, 'PUT', '/mock/hooks/answer', answer)
const read = async ({ call }: Portal, id: number) =>
  ((await call(ALICE, 'GET', '/users/channels/')).body as { id: number }[]).find((channel) => channel.id === id)

describe('an alert that a channel gets', () => {
  test('reaches a webhook, signed so that the library of Standard Webhooks accepts it', async () => {
    await using portal = await startWithSessions()
    const { secret } = await connectChannel(portal, WEBHOOK)
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
    await using portal = await startWithSessions()
    await connectChannel(portal, TELEGRAM)
    await connectChannel(portal, NTFY)
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
    await using portal = await startWithSessions()
    await connectChannel(portal, WEBHOOK)
    await connectChannel(portal, NTFY)
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
    await using portal = await startWithSessions()
    const { id } = await connectChannel(portal, WEBHOOK)
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
    await using portal = await startWithSessions()
    const { id } = await connectChannel(portal, WEBHOOK)
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
    await using portal = await startWithSessions()
    const { id } = await connectChannel(portal, WEBHOOK)
    await answerWith(portal, { status: 410, kind: 'webhook' })
    await letBatteryRunLow(portal)
    expect(await read(portal, id)).toMatchObject({ stopped: { reason: 'gone' } })
    expect(await portal.mails('channel_stopped')).toMatchObject([{ to: ALICE, data: { label: 'Home server', reason: 'gone' } }])
  })

  test('stops a channel at which nothing has arrived for a week, until it is switched on again', async () => {
    await using portal = await startWithSessions()
    const { id } = await connectChannel(portal, WEBHOOK)
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
    await using portal = await startWithSessions()
    const { id } = await connectChannel(portal, WEBHOOK)
    expect((await portal.call(ALICE, 'PATCH', `/users/channels/${id}/`, { on: false })).body.stopped).toMatchObject({ reason: 'user' })
    await letBatteryRunLow(portal)
    expect((await listHooks(portal)).filter(({ body }) => body.includes('alert.low_battery'))).toEqual([])
  })

  test('that waits is removed with its channel', async () => {
    await using portal = await startWithSessions()
    const { id } = await connectChannel(portal, WEBHOOK)
    await answerWith(portal, { status: 500 })
    await letBatteryRunLow(portal)
    await portal.call(ALICE, 'DELETE', `/users/channels/${id}/`)
    const left = await portal.world.db.read.select().from(channelDeliveries)
    expect(left.filter(({ channelId }) => channelId === id)).toEqual([])
  })
})
