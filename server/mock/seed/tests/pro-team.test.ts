import { describe, expect, test } from 'vitest'
import type { User } from '#contracts/accounts/users.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { emailOf, startSharedPortal } from './testing.ts'

const { portal, read, trackersOf } = await startSharedPortal()
const fleet = await trackersOf('admin')
const { proVan, proTruck, proPlane, proBike, coldBox, rex } = SEED.devices
const status = async (key: string, url: string, method = 'GET', body?: object) =>
  (await portal.call(emailOf(key), method, url, body)).status

describe('trackers of the pro account', () => {
  test('R-3.3 the six trackers are numbered 20000000-01 to 06', () => {
    const numbers = fleet.map(({ identifier, serial }) => [identifier, serial]).sort()
    expect(numbers).toEqual(Array.from({ length: 6 }, (_, index) => [`200000000${index + 1}`, `PROFLEET000${index + 1}`]))
  })

  test('R-3.15 the trackers are of five kinds', () => {
    expect(new Set(fleet.map(({ kind }) => kind))).toEqual(new Set(['vehicle', 'plane', 'bike', 'dog', 'person']))
  })

  test('R-3.11 one tracker uses helium', () => {
    expect(fleet.filter(({ operator }) => operator === 'helium').map(({ id }) => id)).toEqual([proTruck])
  })

  test('R-4.12 one tracker is in plane mode', () => {
    expect(fleet.filter(({ tracker_config }) => modeLabel(tracker_config.mode).kind === 'plane').map(({ id }) => id)).toEqual([proPlane])
  })

  test('one subscription has ended, and its tracker is listed first', () => {
    expect(fleet.filter(({ tracker_status }) => tracker_status.sub_state === 'ended').map(({ id }) => id)).toEqual([proBike])
    expect(fleet[0]!.id).toBe(proBike)
  })
})

describe('access within the pro account', () => {
  test('the member sees two of the six trackers, in the same order and form', async () => {
    expect(await trackersOf('member')).toEqual(fleet.filter(({ id }) => id === proVan || id === proTruck))
  })

  test("R-6.9 trackers outside the member's list are not found at any endpoint", async () => {
    expect(
      await collectFailures(
        [proPlane, proBike, rex],
        (id) => `tracker ${id}`,
        async (id) => {
          for (const part of ['', 'tracker_config/', 'tracker_status/', 'tracker_data/', 'public_share_link/', 'theft_form/'])
            expect({ part, status: await status('member', `/devices/${id}/${part}`) }).toEqual({ part, status: 404 })
          expect(await status('member', `/devices/${id}/tracker_config/`, 'PATCH', { mode: 1 })).toBe(404)
        },
      ),
    ).toEqual([])
  })

  test('R-6.1 the member can neither read prices nor link a subscription', async () => {
    expect(
      await collectFailures(
        ['/users/tracker_prices', `/devices/${proVan}/activate_subscription/?code=LINK2026`],
        (url) => url,
        async (url) => {
          expect(await status('member', url)).toBe(403)
        },
      ),
    ).toEqual([])
  })

  test('R-3.49 only the admin can read the admin e-mail', async () => {
    expect((await read<User>('admin', '/users/me/')).admin_email).toBe('fleet@pro.example.com')
    for (const key of ['member', 'alice', 'support']) expect((await read<User>(key, '/users/me/')).admin_email).toBeNull()
  })

  test('R-6.4 support sees every tracker of every account', async () => {
    const all = (await trackersOf('support')).map(({ id }) => id)
    for (const key of ['alice', 'admin', 'haruka', 'george', 'usha', 'erika', 'zoe', 'victor'])
      for (const { id } of await trackersOf(key)) expect(all).toContain(id)
  })

  test('R-6.4 support can read positions but cannot change anything', async () => {
    expect(await status('support', `/devices/${rex}/tracker_data/`)).toBe(200)
    expect(await status('support', `/devices/${coldBox}/tracker_config/mode_param2/`)).toBe(200)
    const link = { label: 'Support', permanent: true, from_beginning: true }
    expect(await status('support', `/devices/${rex}/public_share_link/`, 'POST', link)).toBe(403)
    expect(await status('support', `/devices/${rex}/tracker_config/`, 'PATCH', { mode: 21 })).toBe(403)
    expect(await status('support', `/devices/${rex}/realtime_boost/`, 'POST', { duration_minutes: 5 })).toBe(403)
    expect(await status('support', `/devices/${SEED.devices.newTracker}/activate/`, 'POST', {})).toBe(403)
  })

  test('the admin sees settings that the member changed', async () => {
    await using own = await startPortal()
    expect((await own.call(emailOf('member'), 'PATCH', `/devices/${proVan}/tracker_config/`, { mode: 10 })).status).toBe(200)
    const config = await own.call(emailOf('admin'), 'GET', `/devices/${proVan}/tracker_config/`)
    expect(config.body).toMatchObject({ mode: 9, pending_mode: 10, mode_state: 'sending' })
  })
})
