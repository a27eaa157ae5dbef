import { describe, expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const { companyVan, grandpa, rex, trailer } = SEED.devices

const drain = (portal: Portal) => portal.call(null, 'POST', `/mock/sim/trackers/${rex}/event`, { type: 'low_battery', battery: 4 })
const wait = (portal: Portal, body: object) => portal.call(null, 'POST', '/mock/firings/wait', body)

describe('what fired', () => {
  test('a test waits for an alert that fires later, and `after` skips it', async () => {
    await using portal = await startPortal()
    const waiting = wait(portal, { persona: 'alice', kind: 'low_battery', device: rex })
    await drain(portal)
    const { status, body } = await waiting
    expect([status, body]).toEqual([200, expect.objectContaining({ kind: 'low_battery', device: rex, seen: false })])
    expect(body.notices).toContainEqual(expect.objectContaining({ way: 'email', to: ALICE }))
    const none = await wait(portal, { kind: 'low_battery', after: body.id, timeout_ms: 0 })
    expect(none).toMatchObject({
      status: 404,
      body: {
        code: 'nothing_came',
        firings: expect.arrayContaining([expect.objectContaining({ id: body.id, kind: 'low_battery', device: rex })]),
      },
    })
  })

  test('a persona sees everything that fired as read once it is marked, and other accounts do not see it', async () => {
    await using portal = await startPortal()
    await drain(portal)
    const list = async (persona: string) => (await portal.call(null, 'GET', `/mock/firings?persona=${persona}`)).body
    expect((await list('alice'))[0]).toMatchObject({ device: rex, seen: false })
    expect((await portal.call(null, 'POST', '/mock/firings/seen', { persona: 'alice' })).status).toBe(204)
    expect((await list('alice'))[0]).toMatchObject({ device: rex, seen: true })
    expect((await portal.call(ALICE, 'GET', '/alert_firings/?unread=true')).body.firings).toEqual([])
    expect((await list('dario')).some(({ device }: { device: number }) => device === rex)).toBe(false)
    expect((await portal.call(null, 'GET', '/mock/firings?persona=nobody')).body.errors).toHaveProperty('persona')
  })
})

describe('the scenario alarms', () => {
  test('two trackers that an alert watches meet within hours, and either of them finds what fired', async () => {
    await using portal = await startPortal({ scenario: 'alarms' })
    await portal.call(null, 'POST', '/mock/clock/advance', { by: 'PT3H' })
    for (const device of [trailer, companyVan]) {
      const { body } = await wait(portal, { persona: 'alice', kind: 'together', device, timeout_ms: 0 })
      expect([body.device, body.other].sort()).toEqual([companyVan, trailer])
      expect(body).toMatchObject({ rule: { kind: 'together', meters: 200 }, distance: expect.any(Number) })
    }
  })

  test('a tracker has learnt where it usually is, and fires an alert when it is driven elsewhere', async () => {
    await using portal = await startPortal({ scenario: 'alarms' })
    const normal = (await portal.call(ALICE, 'GET', `/devices/${grandpa}/normal/`)).body
    expect(normal).toMatchObject({ enabled: true, learnt_at: '2026-03-02T09:00:00Z' })
    expect([normal.places.length, normal.ways.length].every((count) => count > 3)).toBe(true)
    const before = (await wait(portal, { kind: 'unusual', device: grandpa })).body.id
    await portal.call(null, 'POST', `/mock/sim/trackers/${grandpa}/drive`, { route: ['Zelmar Michelini 1326'] })
    await portal.call(null, 'POST', '/mock/clock/advance', { by: 'PT15M' })
    const { body } = await wait(portal, { persona: 'alice', kind: 'unusual', device: grandpa, after: before, timeout_ms: 0 })
    expect(body).toMatchObject({ rule: { kind: 'unusual', meters: expect.any(Number) }, mails: 1 })
    expect(body.rule.meters).toBeGreaterThan(300)
  })
})

describe('silences of a world', () => {
  test('a silence made for a persona mutes alerts, is listed with those of all accounts, and can be ended', async () => {
    await using portal = await startPortal()
    const { status, body } = await portal.call(null, 'POST', '/mock/silences', { persona: 'alice', hours: 8, everyone: true, note: 'Vet' })
    expect([status, body]).toEqual([201, expect.objectContaining({ everyone: true, devices: [], note: 'Vet' })])
    await drain(portal)
    const fired = (await wait(portal, { kind: 'low_battery' })).body
    expect([fired.mails, fired.notices.map(({ reason }: { reason: string }) => reason)]).toEqual([0, expect.arrayContaining(['silenced'])])
    await portal.call('bruno@example.com', 'POST', '/alert_silences/', { hours: 1 })
    expect((await portal.call(null, 'GET', '/mock/silences')).body).toHaveLength(2)
    expect((await portal.call(null, 'DELETE', `/mock/silences/${body.id}`)).status).toBe(204)
    expect((await portal.call(ALICE, 'GET', '/alert_silences/')).body).toEqual([])
    expect((await portal.call(null, 'DELETE', `/mock/silences/${body.id}`)).status).toBe(404)
  })

  test('a silence needs an end, in the future', async () => {
    await using portal = await startPortal()
    const answers = [{}, { until: '2020-01-01T00:00:00Z' }].map((end) =>
      portal.call(null, 'POST', '/mock/silences', { persona: 'alice', ...end }),
    )
    for (const { status, body } of await Promise.all(answers)) expect([status, body.errors]).toEqual([400, { until: expect.any(Array) }])
  })
})
