import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { users } from '#db/schema/accounts.ts'
import { pushBrowsers, pushes } from '#db/schema/messages.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { publishLowBattery } from '#server/alerts/publish-alerts.ts'
import { startWithSessions } from '#server/channels/test-channels.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { PushResult } from '#server/ports/push.ts'
import { createPushDispatcher } from './push-dispatch.ts'

type Portal = Awaited<ReturnType<typeof startWithSessions>>

const ALICE = 'alice@example.com'
const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
const subscribe = ({ call }: Portal, who = ALICE, browser = 'browser-1') =>
  call(who, 'PUT', '/users/push/', { endpoint: `https://push.example.net/${browser}`, keys })
const isOn = async ({ call }: Portal, who = ALICE) => (await call(who, 'GET', '/users/push/')).body.on
const list = async ({ call }: Portal) => (await call(null, 'GET', '/mock/pushes')).body

/** Rex reports a low battery. */
async function letBatteryRunLow(portal: Portal, device: number = SEED.devices.rex) {
  const row = await portal.device(device)
  await portal.world.db.write('everything', (tx) => publishLowBattery(tx, row, portal.world.clock.now()))
}

describe('browsers that get notifications', () => {
  test('a user subscribes the browser of the session and unsubscribes it again', async () => {
    await using portal = await startWithSessions()
    expect(await isOn(portal)).toBe(false)
    const { status, body } = await subscribe(portal)
    expect([status, body.on, body.public_key]).toEqual([200, true, expect.stringMatching(/^[\w-]{87}$/)])
    expect(await isOn(portal, 'zoe@example.com')).toBe(false)
    expect((await portal.call(ALICE, 'DELETE', '/users/push/')).body.on).toBe(false)
  })

  test('a subscription ends with its session', async () => {
    await using portal = await startWithSessions()
    await subscribe(portal)
    expect((await portal.call(ALICE, 'DELETE', '/api/v1/auth/web_get_token/')).status).toBeLessThan(300)
    expect(await portal.world.db.read.select().from(pushBrowsers)).toEqual([])
  })

  test('a browser that another user takes over gets no notifications of the previous one', async () => {
    await using portal = await startWithSessions()
    await subscribe(portal)
    await subscribe(portal, 'zoe@example.com')
    expect([await isOn(portal), await isOn(portal, 'zoe@example.com')]).toEqual([false, true])
  })

  test('the 21st browser of a user replaces the oldest', async () => {
    await using portal = await startWithSessions()
    const tokens: string[] = []
    for (let nth = 1; nth <= 21; nth++) {
      const token = await signInAs(portal.world, ALICE)
      tokens.push(token)
      const browser = { endpoint: `https://push.example.net/browser-${nth}`, keys }
      await portal.call(null, 'PUT', '/users/push/', browser, { authorization: `Bearer ${token}` })
    }
    const on = await Promise.all(
      tokens.map(
        async (token) => (await portal.call(null, 'GET', '/users/push/', undefined, { authorization: `Bearer ${token}` })).body.on,
      ),
    )
    expect(on).toEqual([false, ...Array(20).fill(true)])
  })

  test.each([
    ['http://push.example.net/a', keys.auth, 'endpoint'],
    ['https://push.example.net/a', 'short', 'keys.auth'],
  ])('a subscription that no browser creates is refused: %s %s', async (endpoint, auth, field) => {
    await using portal = await startWithSessions()
    const { status, body } = await portal.call(ALICE, 'PUT', '/users/push/', { endpoint, keys: { ...keys, auth } })
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]])
  })

  test('an address outside the known push services is refused', async () => {
    await using portal = await startWithSessions()
    portal.world.push = { ...portal.world.push!, isAllowed: () => false }
    const { status, body } = await subscribe(portal)
    expect([status, Object.keys(body.errors)]).toEqual([400, ['endpoint']])
  })

  test('a server without a key for push services has no notifications', async () => {
    await using portal = await startWithSessions()
    delete portal.world.push
    for (const [method, path, body] of [
      ['GET', '/users/push/'],
      ['PUT', '/users/push/', { endpoint: 'https://push.example.net/a', keys }],
      ['DELETE', '/users/push/'],
      ['POST', '/users/push/test/'],
    ] as const)
      expect((await portal.call(ALICE, method, path, body)).status, `${method} ${path}`).toBe(503)
  })
})

describe('notifications of alerts', () => {
  test('users who see the tracker are notified in their language, with the page of the tracker', async () => {
    await using portal = await startWithSessions()
    await subscribe(portal)
    await subscribe(portal, 'zoe@example.com', 'browser-2')
    await portal.call(ALICE, 'PATCH', '/users/settings/', { language: 'de' })
    await letBatteryRunLow(portal)
    expect(await list(portal)).toEqual([
      {
        id: expect.any(Number),
        at: '2026-03-02T09:00:00Z',
        user: ALICE,
        endpoint: 'https://push.example.net/browser-1',
        title: 'Der Akku von Rex ist schwach',
        body: '',
        url: `/trackers/${SEED.devices.rex}`,
        buttons: expect.any(Array),
      },
    ])
  })

  test('a team member is notified only of the trackers in their list', async () => {
    await using portal = await startWithSessions()
    await subscribe(portal, 'member@pro.example.com')
    await letBatteryRunLow(portal, SEED.devices.proDog)
    await letBatteryRunLow(portal, SEED.devices.proVan)
    expect((await list(portal)).map(({ url }: { url: string }) => url)).toEqual([`/trackers/${SEED.devices.proVan}`])
  })

  test('in quiet hours nothing is sent, and one notification follows with the mail at their end', async () => {
    await using portal = await startWithSessions()
    await portal.world.db.write('everything', (tx) => tx.update(users).set({ timeZone: null }).where(eq(users.email, ALICE)))
    await subscribe(portal)
    await portal.call(ALICE, 'PUT', '/users/quiet_hours/', { quiet: { from: '08:00', to: '10:00' } })
    await letBatteryRunLow(portal)
    expect(await list(portal)).toEqual([])
    await portal.advance('PT2H')
    expect(await list(portal)).toContainEqual(expect.objectContaining({ title: '1 alert from your quiet hours', url: '/alerts/fired' }))
  })
})

describe('the push service of a world', () => {
  test('a test notification is awaited, and ends the subscription if the browser has unsubscribed', async () => {
    await using portal = await startWithSessions()
    expect((await portal.call(ALICE, 'POST', '/users/push/test/')).status).toBe(404)
    await subscribe(portal)
    expect((await portal.call(ALICE, 'POST', '/users/push/test/')).status).toBe(200)
    const { body } = await portal.call(null, 'POST', '/mock/pushes/wait', { user: ALICE, timeout_ms: 1000 })
    expect(body).toMatchObject({ title: 'Whereabouts', body: 'Notifications reach this browser.', url: '/account/preferences' })
    const after = { after: body.id, timeout_ms: 1 }
    expect((await portal.call(null, 'POST', '/mock/pushes/wait', after)).body.code).toBe('nothing_came')
    expect((await portal.call(null, 'POST', `/mock/pushes/${body.id}/gone`)).status).toBe(204)
    expect(await isOn(portal)).toBe(false)
    expect((await portal.call(null, 'POST', `/mock/pushes/${body.id}/gone`)).status).toBe(404)
  })
})

test('a test notification reaches only the browser that requests it', async () => {
  await using portal = await startWithSessions()
  await subscribe(portal)
  const authorization = `Bearer ${await signInAs(portal.world, ALICE)}`
  const other = (method: 'PUT' | 'POST', path: string, body?: object) => portal.call(null, method, path, body, { authorization })
  expect((await other('POST', '/users/push/test/')).status).toBe(404)
  await other('PUT', '/users/push/', { endpoint: 'https://push.example.net/browser-2', keys })
  await other('POST', '/users/push/test/')
  expect(await list(portal)).toMatchObject([{ user: ALICE, endpoint: 'https://push.example.net/browser-2' }])
})

describe('sending notifications', () => {
  const startSending = async (results: PushResult[]) => {
    const portal = await startWithSessions()
    await subscribe(portal)
    await portal.call(ALICE, 'POST', '/users/push/test/')
    const sent: { payload: string; secondsToLive: number }[] = []
    const push = {
      ...portal.world.push!,
      send: async (message: { payload: string; secondsToLive: number }) => {
        sent.push(message)
        return results.shift() ?? 'sent'
      },
    }
    const { read } = portal.world.db
    return {
      portal,
      sent,
      run: createPushDispatcher({ ...portal.world, push }).run,
      at: (time: string) => portal.clock.set({ at: new Date(`2026-03-02T${time}Z`) }),
      left: async () => [await read.$count(pushes), await read.$count(pushBrowsers)],
      [Symbol.asyncDispose]: portal[Symbol.asyncDispose],
    }
  }

  test('a notification is sent once and then deleted', async () => {
    await using it = await startSending([])
    expect([await it.run(), await it.run()]).toEqual([1, 0])
    expect(JSON.parse(it.sent[0]!.payload)).toEqual({
      title: 'Whereabouts',
      body: 'Notifications reach this browser.',
      url: '/account/preferences',
    })
    expect(await it.left()).toEqual([0, 1])
  })

  test("a failed notification is tried again after 15, 30 and 60 seconds of the world's clock", async () => {
    await using it = await startSending(['failed', 'failed', 'failed'])
    const results: number[] = []
    for (const time of ['09:00:00', '09:00:14', '09:00:15', '09:00:44', '09:00:45', '09:01:44', '09:01:45']) {
      it.at(time)
      results.push(await it.run())
    }
    expect([results, it.sent.length]).toEqual([[0, 0, 0, 0, 0, 0, 1], 4])
    expect(it.sent.map(({ secondsToLive }) => secondsToLive)).toEqual([21_600, 21_585, 21_555, 21_495])
  })

  test('a browser that has unsubscribed is removed with its notifications', async () => {
    await using it = await startSending(['gone'])
    expect([await it.run(), await it.left()]).toEqual([0, [0, 0]])
  })

  test('a notification that is rejected or six hours old is given up, and the browser stays', async () => {
    await using it = await startSending(['refused'])
    expect([await it.run(), await it.left()]).toEqual([0, [0, 1]])
    await it.portal.call(ALICE, 'POST', '/users/push/test/')
    it.at('15:00:00')
    expect([await it.run(), it.sent.length, await it.left()]).toEqual([0, 1, [0, 1]])
  })

  test('an unresponsive push service does not delay any other', async () => {
    await using portal = await startWithSessions()
    await subscribe(portal)
    const { call } = portal
    const authorization = `Bearer ${await signInAs(portal.world, 'zoe@example.com')}`
    const other = { endpoint: 'https://push.example.org/browser-2', keys }
    await call(null, 'PUT', '/users/push/', other, { authorization })
    for (let nth = 0; nth < 30; nth++) await call(ALICE, 'POST', '/users/push/test/')
    const sent: string[] = []
    let answer = () => {}
    const silence = new Promise<PushResult>((resolve) => {
      answer = () => resolve('sent')
    })
    const push = {
      ...portal.world.push!,
      send: ({ target }: { target: { endpoint: string } }) => {
        sent.push(target.endpoint)
        return target.endpoint.includes('example.net') ? silence : Promise.resolve<PushResult>('sent')
      },
    }
    const dispatcher = createPushDispatcher({ ...portal.world, push })
    const first = dispatcher.run()
    await expect.poll(() => sent.length).toBe(10)
    await call(null, 'POST', '/users/push/test/', undefined, { authorization })
    void dispatcher.run()
    await expect.poll(() => sent.filter((endpoint) => endpoint === other.endpoint).length).toBe(1)
    answer()
    expect(await first).toBe(31)
  })
})
