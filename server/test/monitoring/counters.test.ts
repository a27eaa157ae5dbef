import { describe, expect, test } from 'vitest'
import { POSITION_MARKS } from '#contracts/rules/history/filter.ts'
import { FIX_FAULTS } from '#contracts/rules/tracking/fix.ts'
import { JOBS, runDue } from '#server/jobs/run-jobs.ts'
import { COUNTERS } from '#server/lib/counts.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { ANCHOR } from '#server/test/test-files.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

/** The counters that are not 0, as `name{label="value"}`. */
async function readCounts({ app }: Portal) {
  const { payload } = await app.inject({ url: '/metrics' })
  const names = new Set(Object.keys(COUNTERS))
  const lines = payload.split('\n').map((line) => /^(\w+)(\{.*\})? (\S+)$/.exec(line) ?? [])
  const counted = lines.filter(([, name = '', , value]) => names.has(name) && value !== '0')
  return Object.fromEntries(counted.map(([, name, labels = '', value]) => [`${name}${labels}`, Number(value)]))
}

const at = (minutes: number) => new Date(ANCHOR.getTime() + minutes * 60_000).toISOString()
const fix = (minutes: number) => ({ lat: -34.9, lng: -56.2, precision: 10, datetime: at(minutes) })
const key = (secret = DEVICE_KEY) => ({ 'x-device-key': secret })

describe('counters', () => {
  test('messages are counted by outcome for every protocol, and positions by their result', async () => {
    await using portal = await startPortal()
    const before = await readCounts(portal)
    const send = (url: string, body: unknown, headers: Record<string, string>) => portal.call(null, 'POST', url, body, headers)
    const found = await portal.world.db.read.query.devices.findFirst({ where: (row, { isNotNull }) => isNotNull(row.identifier) })
    const known = found!.identifier!
    expect(before).toEqual({})
    const message = { identifier: known, positions: [fix(-1), fix(60), { ...fix(0), datetime: '1990-01-01T00:00:00Z' }] }
    expect((await send('/devices/ingest/', message, key())).status).toBe(201)
    expect((await send('/devices/ingest/', { ...message, positions: [fix(-1)] }, key())).status).toBe(201)
    expect((await send('/devices/ingest/', message, key('wrong'))).status).toBe(401)
    expect((await send('/devices/ingest/', { ...message, identifier: '99999999-99' }, key())).status).toBe(404)
    expect((await send('/devices/ingest/', { positions: 'none' }, key())).status).toBe(400)
    expect((await send('/ingest/osmand', {}, key('wrong'))).status).toBe(401)
    expect((await send('/ingest/traccar', {}, key('wrong'))).status).toBe(401)
    expect(await readCounts(portal)).toEqual({
      'device_messages_total{outcome="accepted"}': 2,
      'device_messages_total{outcome="invalid_key"}': 3,
      'device_messages_total{outcome="unknown_tracker"}': 1,
      'device_messages_total{outcome="invalid"}': 1,
      'calls_refused_total{reason="device_key"}': 3,
      'calls_refused_total{reason="input"}': 1,
      'positions_total{outcome="accepted"}': 1,
      'positions_total{outcome="known"}': 1,
      'positions_total{outcome="in_the_future"}': 1,
      'positions_total{outcome="too_old"}': 1,
    })
  })

  test('a position that looks wrong is counted with the reason, and one that the database cannot store as unavailable', async () => {
    await using portal = await startPortal()
    const found = await portal.world.db.read.query.devices.findFirst({ where: (row, { isNotNull }) => isNotNull(row.identifier) })
    const send = (fixes: object[]) =>
      portal.call(null, 'POST', '/devices/ingest/', { identifier: found!.identifier, positions: fixes }, key())
    expect((await send([{ ...fix(2), lat: 0, lng: 0 }])).status).toBe(201)
    expect(await readCounts(portal)).toMatchObject({ 'positions_left_out_total{reason="zero"}': 1 })
    const busy = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
    portal.world.db.write = () => Promise.reject(busy)
    expect((await send([fix(3)])).status).toBe(503)
    expect(await readCounts(portal)).toMatchObject({ 'device_messages_total{outcome="unavailable"}': 1 })
  })

  test('sign-ins are counted by outcome', async () => {
    await using portal = await startPortal()
    const signIn = (password: string) =>
      portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: 'alice@example.com', password })
    expect((await signIn('Demo-1234')).status).toBe(200)
    for (let nth = 0; nth < 30; nth++) await signIn('wrong')
    await portal.call(null, 'POST', '/api/v1/auth/hand_off/redeem/', { hand_off: `hand_${'0'.repeat(40)}` })
    const counts = await readCounts(portal)
    expect(counts['sign_ins_total{outcome="accepted"}']).toBe(1)
    expect(counts['sign_ins_total{outcome="expired"}']).toBe(1)
    const { 'sign_ins_total{outcome="wrong_password"}': wrong = 0, 'sign_ins_total{outcome="throttled"}': throttled = 0 } = counts
    expect(wrong).toBeGreaterThan(0)
    expect(throttled).toBeGreaterThan(0)
    expect(wrong + throttled).toBe(30)
  })

  test('webhooks are counted as new, repeated or rejected, and events once their customer was read', async () => {
    await using portal = await startPortal()
    const { stripe } = portal.world
    const event = { id: 'evt_1', object: 'event', type: 'customer.created', data: { object: {} } }
    const { payload, signature } = stripe.sign(event as never)
    for (const given of [signature, signature, 't=1,v1=00'])
      await portal.app.inject({
        method: 'POST',
        url: '/stripe/webhook/',
        headers: { 'content-type': 'application/json', 'stripe-signature': given },
        payload,
      })
    expect(await readCounts(portal)).toEqual({
      'webhooks_total{outcome="received"}': 1,
      'webhooks_total{outcome="repeated"}': 1,
      'webhooks_total{outcome="refused"}': 1,
      'calls_refused_total{reason="signature"}': 1,
    })
  })

  test('a failing job is counted by its name', async () => {
    await using portal = await startPortal()
    const [boostEnd] = JOBS
    await runDue(portal.world, ANCHOR, { jobs: [{ ...boostEnd!, due: () => Promise.reject(new Error('broken')) }] })
    expect(await readCounts(portal)).toEqual({ 'job_failures_total{work="boost_end"}': 1 })
  })

  test('counts of two worlds are separate', async () => {
    await using portal = await startPortal()
    await using other = await startPortal()
    await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: 'alice@example.com', password: 'wrong' })
    expect(await readCounts(other)).toEqual({})
  })

  test('every job, every rejection of a position and every reason of the filter has its own label', () => {
    const jobs: readonly string[] = COUNTERS.job_failures_total.labels.work
    expect(JOBS.map(({ name }) => name).filter((name) => !jobs.includes(name))).toEqual([])
    const outcomes: readonly string[] = COUNTERS.positions_total.labels.outcome
    expect(FIX_FAULTS.filter((fault) => !outcomes.includes(fault))).toEqual([])
    expect([...COUNTERS.positions_left_out_total.labels.reason].sort()).toEqual(POSITION_MARKS.filter((mark) => mark !== 'kept').sort())
  })
})
