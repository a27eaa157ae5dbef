import { describe, expect, test } from 'vitest'
import { JOBS } from '#server/jobs/run-jobs.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { parseDurationSeconds } from './clock.handlers.ts'

const START = '2026-03-02T09:00:00Z'
type Portal = Awaited<ReturnType<typeof startPortal>>

const advance = (portal: Portal, by: string) => portal.call(null, 'POST', '/mock/clock/advance', { by })
const clockOf = async (portal: Portal) => (await portal.call(null, 'GET', '/mock/clock')).body

test('ISO 8601 durations are parsed into seconds', async () => {
  const rows = [
    ['PT1S', 1],
    ['PT5M', 300],
    ['PT1H30M', 5400],
    ['P1D', 86_400],
    ['P2DT3H4M5S', 183_845],
    ['PT0S', 0],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([name]) => name,
      ([duration, seconds]) => {
        expect(parseDurationSeconds(duration)).toBe(seconds)
      },
    ),
  ).toEqual([])
})

describe('clock', () => {
  test('an invalid duration is rejected and the clock does not move', async () => {
    await using portal = await startPortal()
    const rows = ['', 'P', 'PT', 'P1', '1D', 'PT1.5H', 'P1W', 'P1Y', '-PT1M', 'PT1M1H', 'pt1m']
    expect(
      await collectFailures(rows, JSON.stringify, async (by) => {
        expect(await advance(portal, by)).toMatchObject({
          status: 400,
          body: { code: 'validation_error', errors: { by: [expect.any(String)] } },
        })
        expect((await clockOf(portal)).now).toBe(START)
      }),
    ).toEqual([])
  })

  test('a leap of more than 400 days is rejected and the clock does not move', async () => {
    await using portal = await startPortal()
    for (const by of ['P401D', 'P9999999D', 'P99999999999999999999D'])
      expect(await advance(portal, by)).toMatchObject({ status: 400, body: { errors: { by: ['At most 400 days at once'] } } })
    const set = await portal.call(null, 'POST', '/mock/clock', { at: '9999-12-31T23:59:59Z' })
    expect(set).toMatchObject({ status: 400, body: { errors: { at: ['At most 400 days at once'] } } })
    expect(await clockOf(portal)).toEqual({ now: START, mode: 'frozen', rate: 1 })
  })

  test('setting the clock to an invalid rate, mode or time is rejected', async () => {
    await using portal = await startPortal()
    const rows = [{ rate: 0 }, { rate: -1 }, { rate: 10_001 }, { rate: '60' }, { mode: 'stop' }, { at: 'tomorrow' }, { at: '2026-03-02' }]
    expect(
      await collectFailures(rows, JSON.stringify, async (body) => {
        const answer = await portal.call(null, 'POST', '/mock/clock', body)
        expect(answer).toMatchObject({ status: 400, body: { code: 'validation_error' } })
        expect(await clockOf(portal)).toEqual({ now: START, mode: 'frozen', rate: 1 })
      }),
    ).toEqual([])
  })

  test('a clock set into the past sends no positions until it passes the old time', async () => {
    await using portal = await startPortal()
    await portal.call(null, 'POST', '/mock/clock', { at: '2026-03-01T00:00:00Z' })
    expect((await advance(portal, 'PT1H')).body).toEqual({
      from: '2026-03-01T00:00:00Z',
      to: '2026-03-01T01:00:00Z',
      positions: 0,
      fired: [],
    })
  })

  test('advancing by zero does not send a position twice', async () => {
    await using portal = await startPortal()
    await advance(portal, 'PT1H')
    expect((await advance(portal, 'PT0S')).body).toMatchObject({ to: '2026-03-02T10:00:00Z', positions: 0 })
  })

  test('one hour in one step sends as many positions as one hour in four steps', async () => {
    await using once = await startPortal()
    await using often = await startPortal()
    const whole = (await advance(once, 'PT1H')).body.positions
    let parts = 0
    for (let quarter = 0; quarter < 4; quarter++) parts += (await advance(often, 'PT15M')).body.positions
    expect(parts).toBe(whole)
    expect(whole).toBeGreaterThan(0)
  })

  test('sessions expire when the clock passes their end', async () => {
    await using portal = await startPortal()
    const authorization = `Bearer ${await portal.token('alice@example.com')}`
    await portal.call(null, 'POST', '/mock/clock', { at: '2026-04-02T00:00:00Z' })
    expect((await portal.call(null, 'GET', '/options/', undefined, { authorization })).status).toBe(401)
  })
})

const until = (portal: Portal, event: string) => portal.call(null, 'POST', '/mock/clock/until', { event })

describe('clock until an event', () => {
  test('the clock stops at the second in which the next position is sent', async () => {
    await using portal = await startPortal({ scenario: 'expiring' })
    const { body } = await until(portal, 'position')
    expect(body).toMatchObject({ from: '2026-03-02T09:00:00Z', positions: 1 })
    expect(body.fired.at(-1)).toEqual({ at: body.to, kind: 'position', ref: 'devices/1' })
    const { tracker_status } = (await portal.call('alice@example.com', 'GET', '/devices/1/')).body
    expect(tracker_status.last_position.datetime).toBe(body.to)
  })

  test('the clock stops when a pending mode is applied', async () => {
    await using portal = await startPortal()
    const { body } = await until(portal, 'mode_applied')
    expect(body.fired.at(-1)).toEqual({ at: body.to, kind: 'mode_applied', ref: 'devices/13' })
    const { tracker_config } = (await portal.call('alice@example.com', 'GET', '/devices/13/')).body
    expect(tracker_config).toMatchObject({ mode: 7, pending_mode: null })
  })

  test('the clock stops at the end of a link, the end of a subscription and a renewal', async () => {
    await using portal = await startPortal({ scenario: 'expiring' })
    const link = (await until(portal, 'link_expiry')).body
    expect(link.to).toBe('2026-03-03T09:00:00Z')
    expect(link.fired.at(-1)).toMatchObject({ kind: 'link_end', ref: expect.stringMatching(/^links\//) })
    const end = (await until(portal, 'sub_end')).body
    expect(end.fired).toContainEqual({ at: end.to, kind: 'subscription_end', ref: 'devices/2' })

    await using again = await startPortal({ scenario: 'expiring' })
    const renewal = (await until(again, 'renewal')).body
    expect(renewal.fired.at(-1)).toEqual({ at: '2026-03-03T09:00:00Z', kind: 'renewal', ref: 'subscriptions/1' })
    const { tracker_status } = (await again.call('alice@example.com', 'GET', '/devices/1/')).body
    expect(tracker_status.sub_end_date > renewal.to).toBe(true)
  })

  test('waiting for an event that will not happen is rejected and the clock does not move', async () => {
    await using portal = await startPortal({ scenario: 'empty' })
    for (const event of ['position', 'mode_applied', 'link_expiry', 'sub_end', 'renewal', 'doomsday'])
      expect((await until(portal, event)).body).toMatchObject({ code: 'validation_error', errors: { event: [expect.any(String)] } })
    expect((await portal.call(null, 'PUT', '/mock/clock', {})).body).toEqual({ now: '2026-03-02T09:00:00Z', mode: 'frozen', rate: 1 })
  })
})

test('a job reports what is due and runs on request', async () => {
  await using portal = await startPortal({ scenario: 'expiring' })
  const list = async () => (await portal.call(null, 'GET', '/mock/jobs')).body
  expect((await list()).map(({ name }: { name: string }) => name)).toEqual(JOBS.map(({ name }) => name))
  expect(await list()).toContainEqual({ name: 'link_end', due: 0, next: '2026-03-03T09:00:00Z' })

  portal.clock.set({ at: new Date('2026-03-03T09:00:00Z') })
  const run = () => portal.call(null, 'POST', '/mock/jobs/link_end/run')
  expect((await run()).body.fired).toEqual([{ at: '2026-03-03T09:00:00Z', kind: 'link_end', ref: expect.stringMatching(/^links\//) }])
  expect((await run()).body.fired).toEqual([])
  expect((await portal.call(null, 'POST', '/mock/jobs/nothing/run')).status).toBe(404)
})
