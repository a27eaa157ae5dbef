import { describe, expect, test } from 'vitest'
import type { PublicLink, SharedTracker } from '#contracts/links.ts'
import { isShownPermanent, MAX_PUBLIC_LINKS } from '#contracts/rules/link.ts'
import { millis } from '#contracts/rules/time.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { LINKS } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { emailOf, startSharedPortal, t0 } from './testing.ts'

const { portal, read, trackersOf } = await startSharedPortal()
const bikeLinks = await read<PublicLink[]>('alice', `/devices/${SEED.devices.cityBike}/public_share_link/`)
const link = (uuid: string) => bikeLinks.find((one) => one.uuid === uuid)!
const shared = (uuid: string) => read<SharedTracker>(null, `/tracker_public_share_links/${uuid}/`)
const bike = (await trackersOf('alice')).find(({ id }) => id === SEED.devices.cityBike)!

describe('links of City bike, as their owner sees them', () => {
  test('R-9.1 R-5.9 City bike has five links and a sixth is refused with 409', async () => {
    expect(bikeLinks).toHaveLength(MAX_PUBLIC_LINKS)
    await using own = await startPortal()
    const sixth = { label: 'Sixth', end_date: t0({ days: 1 }), from_beginning: true }
    const answer = await own.call(emailOf('alice'), 'POST', `/devices/${SEED.devices.cityBike}/public_share_link/`, sixth)
    expect(answer).toMatchObject({ status: 409, body: { code: 'too_many_links' } })
  })

  test('R-3.54 R-3.61 every link has a label and a uuid, newest first', () => {
    expect(bikeLinks.map(({ uuid }) => uuid)).toEqual([
      LINKS.fromBeginning,
      LINKS.expired,
      LINKS.after2100,
      LINKS.lastPoint,
      LINKS.permanent,
    ])
    expect(new Set(bikeLinks.map(({ label }) => label)).size).toBe(5)
    for (const { label } of bikeLinks) expect(label).not.toBe('')
  })

  test('R-3.55 R-3.59 the link from the beginning runs for seven days', () => {
    expect(link(LINKS.fromBeginning)).toMatchObject({
      start_date: null,
      end_date: t0({ days: 7 }),
      expiry: t0({ days: 7 }),
      from_beginning: true,
    })
  })

  test('R-3.56 R-3.57 the expired link ended yesterday', () => {
    expect(link(LINKS.expired)).toMatchObject({ end_date: t0({ days: -1 }), expiry: t0({ days: -1 }), permanent: false })
  })

  test('R-3.58 the permanent link ends in 2200 and has no expiry', () => {
    expect(link(LINKS.permanent)).toMatchObject({ permanent: true, end_date: '2200-01-01T00:00:00Z', expiry: null })
  })

  test('R-3.60 R-9.4 the last-point link runs to the last second of 2100 and is shown with a date', () => {
    const last = link(LINKS.lastPoint)
    expect(last).toMatchObject({ last_point: true, end_date: '2100-12-31T23:59:59Z', permanent: false })
    expect(isShownPermanent(last.end_date!)).toBe(false)
  })

  test('R-9.4 the link that ends with the first second of 2101 is shown as permanent', () => {
    const later = link(LINKS.after2100)
    expect(later).toMatchObject({ end_date: '2101-01-01T00:00:00Z', permanent: false })
    expect(isShownPermanent(later.end_date!)).toBe(true)
  })

  test("the account's list names the tracker of each link, City bike, Company van and Rex", async () => {
    const all = await read<(PublicLink & { device: number; device_name: string })[]>('alice', '/tracker_public_share_links/')
    expect(all.map(({ device_name }) => device_name).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 'City bike'),
      'Company van',
      'Rex',
    ])
    expect(all.find(({ device }) => device === SEED.devices.rex)?.uuid).toBe(LINKS.empty)
  })
})

describe('links, as a stranger sees them', () => {
  test('a link shows the trace up to the newest position', async () => {
    expect(
      await collectFailures(['fromBeginning', 'permanent', 'after2100'] as const, String, async (name) => {
        const view = await shared(LINKS[name])
        expect(view.tracker).toEqual({ name: 'City bike', kind: 'bike', type: 'tracker_01' })
        expect(view.label).toBe(link(LINKS[name]).label)
        expect(view.positions.length).toBeGreaterThan(100)
        expect(view.last_position).toEqual(bike.tracker_status.last_position)
        const start = view.start_date === null ? 0 : millis(view.start_date)
        expect(millis(view.positions[0]!.datetime)).toBeGreaterThanOrEqual(start)
      }),
    ).toEqual([])
  })

  test('the link from the beginning shows more than one with a start', async () => {
    const [all, late] = [await shared(LINKS.fromBeginning), await shared(LINKS.after2100)]
    expect(all.positions.length).toBeGreaterThan(late.positions.length)
    expect(millis(all.positions[0]!.datetime)).toBeLessThan(millis(late.positions[0]!.datetime))
  })

  test('R-3.60 the last-point link shows no trace', async () => {
    const view = await shared(LINKS.lastPoint)
    expect(view).toMatchObject({ last_point: true, permanent: false })
    expect(view.positions).toEqual([bike.tracker_status.last_position])
  })

  test('the link of the company van shows its destination and estimated time of arrival', async () => {
    const view = await shared(LINKS.onTheWay)
    expect(view).toMatchObject({ tracker: { name: 'Company van' }, destination: { name: 'Home' }, arrives_at: t0({ minutes: 10 }) })
  })

  test('the link of Rex works and shows no positions yet', async () => {
    expect(await shared(LINKS.empty)).toMatchObject({ tracker: { name: 'Rex', kind: 'dog' }, last_position: null, positions: [] })
  })

  test.each([
    ['the expired one', LINKS.expired],
    ['an unknown one', LINKS.unknown],
    ['no uuid at all', 'city-bike'],
  ])('R-8.11 %s is an invalid link', async (_, uuid) => {
    expect(await portal.call(null, 'GET', `/tracker_public_share_links/${uuid}/`)).toMatchObject({
      status: 404,
      body: { code: 'invalid_link' },
    })
  })

  test('a shared link reveals neither owner nor number', async () => {
    expect(
      await collectFailures(['fromBeginning', 'permanent', 'lastPoint', 'after2100', 'empty'] as const, String, async (name) => {
        const text = JSON.stringify(await shared(LINKS[name]))
        for (const secret of ['alice', 'Almeida', bike.serial!, bike.identifier!, 'ALICE0000001']) expect(text).not.toContain(secret)
      }),
    ).toEqual([])
  })

  test('R-6.9 alice cannot delete a link of zoe', async () => {
    const { status } = await portal.call(emailOf('alice'), 'DELETE', `/tracker_public_share_links/${LINKS.zoePermanent}/`)
    expect(status).toBe(404)
    expect((await shared(LINKS.zoePermanent)).tracker.name).toBe('Cykel')
  })

  test('a link works until the second of its end', async () => {
    await using own = await startPortal()
    const open = () => own.call(null, 'GET', `/tracker_public_share_links/${LINKS.fromBeginning}/`)
    own.clock.set({ at: new Date(millis(t0({ days: 7, seconds: -1 }))) })
    expect((await open()).status).toBe(200)
    own.clock.set({ at: new Date(millis(t0({ days: 7 }))) })
    expect((await open()).status).toBe(404)
  })
})
