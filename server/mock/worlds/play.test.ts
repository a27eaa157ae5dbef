import { ne } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { devices } from '#db/schema/devices.ts'
import { days, hours, startJobsPortal } from '#server/jobs/test-jobs.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

const { companyVan, familyCar, misty } = SEED.devices
type Portal = Awaited<ReturnType<typeof startJobsPortal>>

const rowsOf = ({ world }: Portal) =>
  ['positions', 'devices', 'alert_devices', 'emails', 'public_links', 'live_events', 'throttles', 'tokens'].map((name) =>
    world.db.raw.prepare(`select * from ${name}`).all(),
  )

async function plant(portal: Portal) {
  await portal.change(misty, { subEndDate: hours(5.31) })
  await portal.change(familyCar, { boostUntil: hours(11.777) })
  await portal.change(SEED.devices.kitchen, { lastMessageAt: new Date(days(-90).getTime() + hours(17.2).getTime() - hours(0).getTime()) })
  await portal.token('alice@example.com')
}

test('advancing by 24 hours equals advancing 24 times by one hour: rows, mails and fired events', async () => {
  await using whole = await startJobsPortal()
  await using parts = await startJobsPortal()
  await plant(whole)
  await plant(parts)
  const fired = await whole.advance('P1D')
  const pieces = []
  for (let hour = 0; hour < 24; hour++) pieces.push(...(await parts.advance('PT1H')))
  expect(pieces).toEqual(fired)
  expect(rowsOf(parts)).toEqual(rowsOf(whole))
  const kinds = new Set(fired.map(({ kind }) => kind))
  for (const kind of ['boost_end', 'subscription_end', 'network_silence', 'link_end', 'place_leave']) expect(kinds).toContain(kind)
})

test('jobs, alerts and mails are reported together in order of time', async () => {
  await using portal = await startJobsPortal()
  await portal.change(misty, { subEndDate: new Date(hours(0).getTime() + 30_000) })
  const fired = await portal.advance('PT3M')
  expect(fired).toMatchObject([
    { at: '2026-03-02T09:00:30Z', kind: 'subscription_end', ref: `devices/${misty}` },
    { at: '2026-03-02T09:00:30Z', kind: 'mail', to: 'alice@example.com', template: 'subscription_ended' },
    { kind: 'place_leave', ref: 'devices/1' },
    { kind: 'mail', template: 'place_alert' },
    { kind: 'mail', template: 'place_alert' },
  ])
})

test('a job sees the world as of its instant: a tracker sends until its subscription ends, not longer', async () => {
  await using portal = await startJobsPortal()
  await portal.change(companyVan, { subEndDate: hours(2) })
  await portal.advance('PT6H')
  const { lastMessageAt, subState } = await portal.device(companyVan)
  expect([subState, lastMessageAt! <= hours(2)]).toEqual(['ended', true])
})

test('a jump of months deactivates no tracker that would have sent', async () => {
  await using portal = await startJobsPortal()
  const { grandpa, erika } = SEED.devices
  await portal.world.db.write('everything', (tx) => tx.update(devices).set({ subState: 'ended' }).where(ne(devices.id, grandpa)))
  const silent = (await portal.advance('P95D', 'network_silence')).map(({ ref }) => ref)
  expect((await portal.device(grandpa)).networkState).toBe('active')
  expect(silent).toContain(`devices/${erika}`)
  expect(silent).not.toContain(`devices/${grandpa}`)
})

describe('setting the clock', () => {
  test('moving the clock forward runs the jobs on the way; moving it back runs nothing, and nothing runs twice', async () => {
    await using portal = await startJobsPortal()
    await portal.change(misty, { subEndDate: hours(1) })
    await portal.call(null, 'POST', '/mock/clock', { at: '2026-03-02T11:00:00Z' })
    expect(await portal.mails('subscription_ended')).toMatchObject([{ createdAt: new Date(hours(1).getTime() + 1) }])
    await portal.call(null, 'POST', '/mock/clock', { at: '2026-03-02T09:30:00Z' })
    expect(await portal.advance('PT2H', 'subscription_end')).toEqual([])
    expect(await portal.mails('subscription_ended')).toHaveLength(1)
  })

  test('two simultaneous advances run one after the other', async () => {
    await using portal = await startJobsPortal()
    const advance = () => portal.call(null, 'POST', '/mock/clock/advance', { by: 'PT30M' })
    const [one, other] = await Promise.all([advance(), advance()])
    expect([one.body.to, other.body.from, other.body.to]).toEqual(['2026-03-02T09:30:00Z', '2026-03-02T09:30:00Z', '2026-03-02T10:00:00Z'])
    expect([...one.body.fired, ...other.body.fired].filter(({ kind }) => kind === 'boost_end')).toHaveLength(1)
  })
})

test('a world closed while advancing stops without an error', async () => {
  await using portal = await startPortal()
  const world = portal.worlds.get('main')!
  const playing = world.play(() => ({ at: days(3) }))
  await new Promise((resolve) => setImmediate(resolve))
  world.close()
  expect(await playing).toEqual({ positions: 0, fired: [] })
  expect(await world.play()).toEqual({ positions: 0, fired: [] })
})
