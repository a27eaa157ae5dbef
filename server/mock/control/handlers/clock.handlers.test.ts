import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { CLOCK_EVENTS } from '#contracts/mock/clock.ts'
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

  test('a jump of more than 400 days is rejected and the clock does not move', async () => {
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

const LEAPS = ['P15D', 'P91D']

test('sessions of the control plane survive jumps of any length: those of a new world, of a login and of the address it opens', async () => {
  await using portal = await startPortal({ scenario: 'empty' })
  const world = await portal.call(null, 'POST', '/mock/worlds', { id: 'far', scenario: 'empty' })
  const at = { 'x-world': 'far' }
  const [{ key, token }] = world.body.personas
  const login = await portal.call(null, 'POST', '/mock/login', { persona: key }, at)
  const code = new URL(login.body.url).searchParams.get('hand_off')
  const page = await portal.call(null, 'POST', '/api/v1/auth/hand_off/redeem/', { hand_off: code }, at)
  const tokens: string[] = [token, login.body.token, page.body.token]
  for (const by of LEAPS) {
    expect((await portal.call(null, 'POST', '/mock/clock/advance', { by }, at)).status).toBe(200)
    for (const each of tokens) {
      const { status } = await portal.call(null, 'GET', '/users/settings/', undefined, { ...at, authorization: `Bearer ${each}` })
      expect([by, status]).toEqual([by, 200])
    }
  }
})

test('a request during a jump finds the session of the control plane open', async () => {
  await using portal = await startPortal({ scenario: 'empty' })
  const world = await portal.call(null, 'POST', '/mock/worlds', { id: 'far', scenario: 'empty' })
  const at = { 'x-world': 'far', authorization: `Bearer ${world.body.personas[0].token}` }
  const leap = portal.call(null, 'POST', '/mock/clock/advance', { by: 'P20D' }, { 'x-world': 'far' })
  const statuses = new Set<number>()
  let isOver = false
  void leap.then(() => {
    isOver = true
  })
  while (!isOver) {
    statuses.add((await portal.call(null, 'GET', '/users/settings/', undefined, at)).status)
    await nextTurn()
  }
  expect([...statuses]).toEqual([200])
})

test('a session of the sign-in form expires in a jump as in production', async () => {
  await using portal = await startPortal({ scenario: 'unconfirmed' })
  const { email, password } = (await portal.call(null, 'GET', '/mock/personas')).body[0]
  const { body } = await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: email, password })
  await portal.call(null, 'POST', '/mock/clock/advance', { by: 'P15D' })
  expect((await portal.call(null, 'GET', '/users/settings/', undefined, { authorization: `Bearer ${body.token}` })).status).toBe(401)
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
    expect(renewal.fired).toContainEqual({ at: '2026-03-03T09:00:00Z', kind: 'renewal', ref: 'subscriptions/1' })
    const { tracker_status } = (await again.call('alice@example.com', 'GET', '/devices/1/')).body
    expect(tracker_status.sub_end_date > renewal.to).toBe(true)
  })

  test('former names of events are accepted, and select the same events', async () => {
    await using portal = await startPortal({ scenario: 'expiring' })
    for (const [name, former] of [
      ['link_end', 'link_expiry'],
      ['subscription_end', 'sub_end'],
    ] as const) {
      await portal.call(null, 'POST', '/mock/reset', {})
      const present = (await until(portal, name)).body
      await portal.call(null, 'POST', '/mock/reset', {})
      expect((await until(portal, former)).body).toEqual(present)
      expect(present.fired.map(({ kind }: { kind: string }) => kind)).toContain(name)
      expect((await portal.call(null, 'POST', `/mock/jobs/${former}/run`)).body).toEqual(
        (await portal.call(null, 'POST', `/mock/jobs/${name}/run`)).body,
      )
    }
  })

  test('every event that the clock can be moved to is in `fired` under the same name', async () => {
    await using portal = await startPortal({ scenario: 'expiring' })
    for (const event of CLOCK_EVENTS) {
      const { status, body } = await until(portal, event)
      if (status === 400) continue
      expect(body.fired.filter(({ kind, at }: { kind: string; at: string }) => kind === event && at === body.to)).not.toEqual([])
    }
  })

  test('waiting for an event that will not happen is rejected and the clock does not move', async () => {
    await using portal = await startPortal({ scenario: 'empty' })
    for (const event of ['position', 'mode_applied', 'link_expiry', 'sub_end', 'renewal', 'doomsday'])
      expect((await until(portal, event)).body).toMatchObject({ code: 'validation_error', errors: { event: [expect.any(String)] } })
    expect((await portal.call(null, 'PUT', '/mock/clock', {})).body).toEqual({ now: '2026-03-02T09:00:00Z', mode: 'frozen', rate: 1 })
  })
})

describe('what fired', () => {
  const kinds = (fired: { kind: string; template?: string }[]) => fired.map(({ kind, template }) => template ?? kind)

  test('a jump past a renewal lists it once, at its instant, like moving to it', async () => {
    await using portal = await startPortal({ scenario: 'billing_trouble' })
    const { fired } = (await advance(portal, 'P3D')).body
    const renewals = fired.filter(({ kind }: { kind: string }) => kind === 'renewal')
    await portal.call(null, 'POST', '/mock/reset', {})
    const moved = (await until(portal, 'renewal')).body
    expect(renewals.length).toBeGreaterThan(0)
    expect(moved.fired.filter(({ kind }: { kind: string }) => kind === 'renewal')).toEqual(
      renewals.filter(({ at }: { at: string }) => at === moved.to),
    )
  })

  test('a jump lists every mail written on the way with its recipient and template, in order of time', async () => {
    for (const scenario of ['expiring', 'billing_trouble'] as const) {
      await using portal = await startPortal({ scenario })
      const before = (await portal.call(null, 'GET', '/mock/mail')).body.length
      const { fired } = (await advance(portal, 'P9D')).body
      const mails = (await portal.call(null, 'GET', '/mock/mail')).body.reverse().slice(before)
      expect(fired.filter(({ kind }: { kind: string }) => kind === 'mail')).toEqual(
        mails.map(({ id, to, template, created_at: at }: Record<string, unknown>) => ({
          at,
          kind: 'mail',
          ref: `mail/${id}`,
          to,
          template,
        })),
      )
      expect(fired.map(({ at }: { at: string }) => at)).toEqual(fired.map(({ at }: { at: string }) => at).toSorted())
      if (scenario === 'expiring') expect(kinds(fired)).toEqual(expect.arrayContaining(['renewal', 'receipt', 'subscription_ended']))
    }
  })

  test('a jump lists a reminder and its mail', async () => {
    await using portal = await startPortal({ scenario: 'empty' })
    const trackers = [{ name: 'Bello', sub_state: 'active', sub_end_date: '2026-03-12T09:00:00Z' }]
    const document = { format: 'whereabouts world 1', users: [{ email: 'anna@example.com' }], trackers }
    await portal.call(null, 'POST', '/mock/worlds/import?id=small', document)
    const { body } = await portal.call(null, 'POST', '/mock/clock/until', { event: 'subscription_reminder' }, { 'x-world': 'small' })
    expect(body.fired).toMatchObject([
      { at: '2026-03-05T08:00:00Z', kind: 'subscription_reminder' },
      { at: '2026-03-05T08:00:00Z', kind: 'mail', to: 'anna@example.com', template: 'subscription_reminder' },
    ])
  })

  test('one jump lists the same as many short ones', async () => {
    await using whole = await startPortal({ scenario: 'expiring' })
    await using parts = await startPortal({ scenario: 'expiring' })
    const { fired } = (await advance(whole, 'P3D')).body
    const pieces = []
    for (let part = 0; part < 12; part++) pieces.push(...(await advance(parts, 'PT6H')).body.fired)
    expect(pieces).toEqual(fired)
  })

  test('the event stream uses the same names', async () => {
    await using portal = await startPortal({ scenario: 'expiring' })
    const names = new Set<string>()
    portal.world.events.listen(
      ({ type, data }) => type === 'job' && names.add((data as { name: string }).name),
      () => {},
    )
    await advance(portal, 'P3D')
    for (const name of ['renewal', 'subscription_end', 'link_end']) expect(names).toContain(name)
  })
})

test('a job reports its due work and runs on request', async () => {
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
