import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PERSONAS } from '#server/mock/seed/records/personas.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const START = '2026-03-02T09:00:00Z'
type Portal = Awaited<ReturnType<typeof startPortal>>

describe('creating a world', () => {
  const make = (portal: Portal, body: object) => portal.call(null, 'POST', '/mock/worlds', body)

  test('a new world lists every persona with a working session', async () => {
    await using portal = await startPortal()
    const { body } = await make(portal, { id: 'blue' })
    expect(body.personas.map(({ email }: { email: string }) => email)).toEqual(PERSONAS.map(({ email }) => email))
    const { token, role } = body.personas.at(-1)
    const answer = await portal.call(null, 'GET', '/options/', undefined, { authorization: `Bearer ${token}`, 'x-world': 'blue' })
    expect(answer).toMatchObject({ status: 200, body: { role } })
  })

  test('a world without a name gets a random one', async () => {
    await using portal = await startPortal()
    const names = [(await make(portal, {})).body.id, (await make(portal, {})).body.id]
    for (const name of names) expect(name).toMatch(/^[0-9a-f]{8}$/)
    expect(names[0]).not.toBe(names[1])
  })

  test('an invalid world name is rejected', async () => {
    await using portal = await startPortal()
    const rows = ['Blue', '-blue', 'a b', 'x'.repeat(41), '../main', '', 7]
    expect(
      await collectFailures(rows, JSON.stringify, async (id) => {
        expect((await make(portal, { id })).body.code).toBe('validation_error')
        expect(portal.worlds.all().map((world) => world.id)).toEqual(['main'])
      }),
    ).toEqual([])
  })

  test('a world starts with the requested clock', async () => {
    await using portal = await startPortal()
    const { body } = await make(portal, { id: 'fast', clock: { at: '2026-06-01T00:00:00Z', mode: 'flow', rate: 60 } })
    expect(body.clock).toMatchObject({ mode: 'flow', rate: 60, now: expect.stringMatching(/^2026-06-01T00:/) })
  })

  test('a world cannot start more than 400 days ahead', async () => {
    const rows = ['9999-12-31T23:59:59Z', '2027-04-06T09:00:01Z']
    expect(
      await collectFailures(rows, String, async (at) => {
        await using portal = await startPortal()
        expect(await make(portal, { id: 'far', clock: { at } })).toMatchObject({
          status: 400,
          body: { errors: { 'clock.at': ['At most 400 days at once'] } },
        })
        expect(portal.worlds.all().map((world) => world.id)).toEqual(['main'])
        expect((await make(portal, { id: 'far', clock: { at: '2027-04-06T09:00:00Z' } })).status).toBe(201)
      }),
    ).toEqual([])
  })

  test('of two simultaneous requests for the same name, one is answered with 201 and one with 409', async () => {
    await using portal = await startPortal()
    const answers = await Promise.all([make(portal, { id: 'blue' }), make(portal, { id: 'blue' })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(portal.worlds.all()).toHaveLength(2)
  })
})

describe('a crowd', () => {
  const make = (portal: Portal, body: object) => portal.call(null, 'POST', '/mock/worlds', { id: 'crowd', ...body })
  const reset = (portal: Portal, body: object) => portal.call(null, 'POST', '/mock/reset', body, { 'x-world': 'crowd' })
  const countTrackers = async (portal: Portal, { personas }: { personas: { token: string }[] }) => {
    const headers = { authorization: `Bearer ${personas[0]?.token}`, 'x-world': 'crowd' }
    return (await portal.call(null, 'GET', '/devices/', undefined, headers)).body.length
  }

  test('a crowd has as many trackers as requested, and a reset keeps or changes the number', async () => {
    await using portal = await startPortal()
    const { body } = await make(portal, { scenario: 'crowd', size: 12 })
    expect([body.size, await countTrackers(portal, body)]).toEqual([12, 12])
    const same = (await reset(portal, {})).body
    expect([same.size, await countTrackers(portal, same)]).toEqual([12, 12])
    const larger = (await reset(portal, { size: 20 })).body
    expect([larger.size, await countTrackers(portal, larger)]).toEqual([20, 20])
    expect((await reset(portal, { scenario: 'pro' })).body.size).toBeNull()
  })

  test('a copy of a crowd has the size of the original', async () => {
    await using portal = await startPortal()
    await make(portal, { scenario: 'crowd', size: 12 })
    expect((await portal.call(null, 'POST', '/mock/worlds/crowd/clone', { id: 'copy' })).body).toMatchObject({
      scenario: 'crowd',
      size: 12,
    })
  })

  test('a size is refused below 10, above 10,000 and for a scenario without one', async () => {
    await using portal = await startPortal()
    const rows = [{ scenario: 'crowd', size: 9 }, { scenario: 'crowd', size: 10_001 }, { scenario: 'theft', size: 12 }, { size: 12 }]
    expect(
      await collectFailures(rows, JSON.stringify, async (body) => {
        expect(await make(portal, body)).toMatchObject({ status: 400, body: { errors: { size: expect.any(Array) } } })
      }),
    ).toEqual([])
    await make(portal, {})
    expect((await reset(portal, { size: 12 })).status).toBe(400)
  })
})

describe('worlds by name', () => {
  const get = (portal: Portal, path: string, world = 'main') => portal.call(null, 'GET', path, undefined, { 'x-world': world })

  test('a world shows its scenario, time and expiry, and main never expires', async () => {
    await using portal = await startPortal()
    await portal.call(null, 'POST', '/mock/worlds', { id: 'blue', scenario: 'theft', seed: 4, ttl_seconds: 60 })
    const { body } = await get(portal, '/mock/worlds')
    expect(body).toMatchObject([
      { id: 'main', scenario: 'family', seed: 1, storage: 'memory', grace_days: 14, expires_at: null },
      { id: 'blue', scenario: 'theft', seed: 4, expires_at: expect.any(String), clock: { now: START, mode: 'frozen' } },
    ])
    expect((await get(portal, '/mock/worlds/blue/')).body).toMatchObject({ id: 'blue', scenario: 'theft' })
    const about = (await get(portal, '/mock', 'blue')).body
    expect(about).toMatchObject({
      world: { id: 'blue' },
      faults: [],
      payments: { webhooks: { mode: 'auto' }, waiting: 0 },
      mail: { count: 1 },
    })
    expect(about).toMatchObject({ links: { 'worlds.list': '/mock/worlds', mailbox: '/mock/mailbox' } })
    const { 'events.watch': stream, ...links } = about.links
    expect(stream).toBe('/mock/events')
    for (const link of Object.values<string>(links)) expect((await get(portal, link)).status).toBeLessThan(400)
  })

  test('the overview of a world shows its faults, waiting webhooks and number of mails', async () => {
    await using portal = await startPortal()
    const before = (await get(portal, '/mock')).body.mail.count
    await portal.call(null, 'POST', '/mock/faults', { effect: 'status', status: 503, match: { persona: 'bruno' } })
    await portal.call(null, 'PUT', '/mock/payments/webhooks', { mode: 'manual' })
    await portal.call(null, 'POST', '/mock/payments/subscriptions/1/renew')
    await portal.call(null, 'POST', '/users/password_reset/', { email: 'alice@example.com' })
    const { faults, payments, mail } = (await get(portal, '/mock')).body
    expect(faults.at(-1)).toMatchObject({ effect: 'status', matched: 0, happened: 0 })
    expect(payments).toMatchObject({ webhooks: { mode: 'manual' }, waiting: expect.any(Number) })
    expect([payments.waiting > 0, mail.count]).toEqual([true, before + 1])
  })

  test('a world contains only the users and trackers of its scenario', async () => {
    await using portal = await startPortal()
    const { body } = await portal.call(null, 'POST', '/mock/worlds', { id: 'lost', scenario: 'theft' })
    expect(body.personas.map(({ key }: { key: string }) => key)).toEqual(['alice', 'support'])
    const headers = { 'x-world': 'lost', authorization: `Bearer ${body.personas[0].token}` }
    const devices = (await portal.call(null, 'GET', '/devices/?type=tracker', undefined, headers)).body
    expect(devices.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Family car', 'Runaway cat', 'Stolen scooter'])
  })

  test('an unknown scenario is rejected', async () => {
    await using portal = await startPortal()
    expect((await portal.call(null, 'POST', '/mock/worlds', { scenario: 'mars' })).body.errors).toHaveProperty('scenario')
  })

  test('a world is removed by name, and main cannot be removed', async () => {
    await using portal = await startPortal()
    await portal.call(null, 'POST', '/mock/worlds', { id: 'blue' })
    expect((await portal.call(null, 'DELETE', '/mock/worlds/blue')).body).toEqual({ id: 'blue' })
    expect((await get(portal, '/mock/worlds/blue')).status).toBe(404)
    expect((await get(portal, '/mock/clock', 'blue')).body.code).toBe('unknown_world')
    expect((await portal.call(null, 'DELETE', '/mock/worlds/blue')).status).toBe(404)
    expect((await portal.call(null, 'DELETE', '/mock/worlds/main')).body.code).toBe('in_use')
  })

  test('a clone has the data and time of its original and changes independently', async () => {
    await using portal = await startPortal()
    await portal.call('alice@example.com', 'PATCH', '/users/settings/', { firstname: 'Alicia' })
    await portal.call(null, 'POST', '/mock/clock/advance', { by: 'PT2H' })
    const { status, body } = await portal.call(null, 'POST', '/mock/worlds/main/clone', { id: 'twin' })
    expect([status, body.clock.now]).toEqual([201, '2026-03-02T11:00:00Z'])
    const inTwin = { 'x-world': 'twin', authorization: `Bearer ${body.personas[0].token}` }
    const name = async () => (await portal.call(null, 'GET', '/users/settings/', undefined, inTwin)).body.firstname
    expect(await name()).toBe('Alicia')
    await portal.call('alice@example.com', 'PATCH', '/users/settings/', { firstname: 'Alice' })
    expect(await name()).toBe('Alicia')
    expect((await portal.call(null, 'POST', '/mock/worlds/nowhere/clone', {})).status).toBe(404)
  })

  test('a world stored in a file works like one in memory and deletes its file at the end', async () => {
    await using portal = await startPortal()
    const { body } = await portal.call(null, 'POST', '/mock/worlds', { id: 'heavy', scenario: 'edge', storage: 'file' })
    const file = portal.worlds.get('heavy')!.db.raw.name
    expect([body.storage, existsSync(file)]).toEqual(['file', true])
    const again = await portal.call(null, 'POST', '/mock/reset', {}, { 'x-world': 'heavy' })
    expect(again.body).toMatchObject({ scenario: 'edge', storage: 'file' })
    await portal.call(null, 'DELETE', '/mock/worlds/heavy')
    expect(existsSync(file)).toBe(false)
  })
})

describe('resetting a world', () => {
  const reset = (portal: Portal, body: object = {}, world = 'main') => portal.call(null, 'POST', '/mock/reset', body, { 'x-world': world })

  test('a reset affects no other world', async () => {
    await using portal = await startPortal()
    await portal.call(null, 'POST', '/mock/worlds', { id: 'blue' })
    await portal.call('alice@example.com', 'PATCH', '/users/settings/', { firstname: 'Alicia' })
    await reset(portal, {}, 'blue')
    expect((await portal.call('alice@example.com', 'GET', '/users/settings/')).body.firstname).toBe('Alicia')
  })

  test('a reset ends the sessions of the world', async () => {
    await using portal = await startPortal()
    const { body: before } = await portal.call('alice@example.com', 'GET', '/users/settings/')
    const link = await portal.call('alice@example.com', 'PATCH', '/users/settings/', { firstname: 'Alicia' })
    expect([before.firstname, link.status]).toEqual(['Alice', 200])
    const { body } = await reset(portal)
    const alice = body.personas.find(({ key }: { key: string }) => key === 'alice')
    const { body: after } = await portal.call(null, 'GET', '/users/settings/', undefined, { authorization: `Bearer ${alice.token}` })
    expect(after.firstname).toBe('Alice')
  })

  test('a reset preserves the speed of the clock and restores its time', async () => {
    await using portal = await startPortal()
    await portal.call(null, 'POST', '/mock/clock', { at: '2026-03-09T00:00:00Z', rate: 60 })
    expect((await reset(portal)).body.clock).toEqual({ now: START, mode: 'frozen', rate: 60 })
  })

  test('the same seed yields the same secrets, another seed yields others', async () => {
    await using portal = await startPortal()
    const tokenAfter = async (seed?: number) => (await reset(portal, seed === undefined ? {} : { seed })).body.personas[0].token
    const first = await tokenAfter(5)
    expect(await tokenAfter(6)).not.toBe(first)
    expect(await tokenAfter(5)).toBe(first)
    expect(await tokenAfter()).toBe(first)
  })

  test('simultaneous resets leave a working world', async () => {
    await using portal = await startPortal()
    const answers = await Promise.all([reset(portal), reset(portal), reset(portal)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const { token } = answers.at(-1)!.body.personas[0]
    expect((await portal.call(null, 'GET', '/options/', undefined, { authorization: `Bearer ${token}` })).status).toBe(200)
  })

  test('the journal survives a reset on request', async () => {
    await using portal = await startPortal({ scenario: 'empty' })
    await portal.call('dario@example.com', 'GET', '/options/')
    const noted = async () => (await portal.call(null, 'GET', '/mock/requests')).body.length
    await reset(portal, { keep: ['journal'] })
    expect(await noted()).toBe(1)
    await reset(portal)
    expect(await noted()).toBe(0)
  })

  test('a reset to another scenario is permanent', async () => {
    await using portal = await startPortal()
    expect((await reset(portal, { scenario: 'empty' })).body).toMatchObject({ scenario: 'empty', personas: [{ key: 'dario' }] })
    expect((await reset(portal)).body.scenario).toBe('empty')
  })

  test('a reset with an invalid seed or body is rejected', async () => {
    await using portal = await startPortal()
    const rows = [{ seed: 'one' }, { seed: 1.5 }, []]
    expect(
      await collectFailures(rows, JSON.stringify, async (body) => {
        expect((await reset(portal, body)).body.code).toBe('validation_error')
      }),
    ).toEqual([])
  })
})
