import { describe, expect, test } from 'vitest'
import { batteryLife, isSct2Valid } from '#contracts/rules/tracking/sct2.ts'
import type { TrackerConfig } from '#contracts/trackers/devices.ts'
import type { Sct2Params } from '#contracts/trackers/sct2.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { CODES, DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { extractPdfText } from '#server/test/test-pdf.ts'
import { emailOf, startSharedPortal, t0 } from './testing.ts'

const { portal, read } = await startSharedPortal()
const { devices } = SEED
const alice = emailOf('alice')
const linkUrl = (id: number, code: string) => `/devices/${id}/activate_subscription/?code=${code}`

describe('Cold box', () => {
  test('R-7.1 R-3.86 R-3.87 R-3.88 R-3.89 the Cold box has the parameters 60, 1440, 2 and 60', async () => {
    expect(await read<Sct2Params>('alice', `/devices/${devices.coldBox}/tracker_config/mode_param2/`)).toEqual({
      frequency: 60,
      keepalive_period: 1440,
      temp_uplink_slices_duration: 2,
      temp_slice_duration: 60,
    })
  })

  test('R-9.11 R-9.12 the battery of the Cold box lasts 33 to 78 months', async () => {
    const params = await read<Sct2Params>('alice', `/devices/${devices.coldBox}/tracker_config/mode_param2/`)
    expect(isSct2Valid(params)).toBe(true)
    expect(Object.values(batteryLife(params.frequency)!)).toEqual([33, 78])
  })

  test('R-3.17 the Cold box reports as its parameters say', async () => {
    const config = await read<TrackerConfig>('alice', `/devices/${devices.coldBox}/tracker_config/`)
    expect([config.frequency_moving, config.frequency_stationary]).toEqual([
      { min: 60, max: 60 },
      { min: 1440, max: 1440 },
    ])
  })

  test('R-7.1 trackers without a configurable board have no such parameters', async () => {
    expect(
      await collectFailures(['rex', 'hiker', 'kitchen'] as const, String, async (name) => {
        const answer = await portal.call(alice, 'GET', `/devices/${devices[name]}/tracker_config/mode_param2/`)
        expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
      }),
    ).toEqual([])
  })
})

describe('actions on trackers by state', () => {
  test.each(['newTracker', 'spareTracker'] as const)('R-7.10 %s can be activated once', async (name) => {
    await using own = await startPortal()
    const activate = () => own.call(alice, 'POST', `/devices/${devices[name]}/activate/`, {})
    expect((await activate()).status).toBe(204)
    expect((await own.call(alice, 'GET', `/devices/${devices[name]}/tracker_status/`)).body.sub_state).toBe('active')
    expect(await activate()).toMatchObject({ status: 409, body: { code: 'not_activatable' } })
  })

  test('R-7.10 other trackers cannot be activated', async () => {
    const rows = [
      ['rex', 'not_activatable'],
      ['oldTracker', 'not_activatable'],
      ['kitchen', 'not_activatable'],
      ['companyVan', 'device_linked_to_pro'],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([name, code]) => {
          expect(await portal.call(alice, 'POST', `/devices/${devices[name]}/activate/`, {})).toMatchObject({ status: 409, body: { code } })
        },
      ),
    ).toEqual([])
  })

  test('R-4.3 a tracker without a subscription accepts no mode', async () => {
    expect(
      await collectFailures(['newTracker', 'oldTracker', 'kitchen', 'puppy'] as const, String, async (name) => {
        const answer = await portal.call(alice, 'PATCH', `/devices/${devices[name]}/tracker_config/`, { mode: 1 })
        expect(answer).toMatchObject({ status: 409, body: { code: 'subscription_required' } })
      }),
    ).toEqual([])
  })

  test('R-4.3 R-4.4 the Delivery van switches to lost mode with its next message', async () => {
    await using own = await startPortal()
    const config = async () => (await own.call(alice, 'GET', `/devices/${devices.deliveryVan}/tracker_config/`)).body
    expect(await config()).toMatchObject({ mode: 9, pending_mode: 7, mode_state: 'sending' })
    const message = { identifier: '10000000-13', positions: [] }
    const heard = await own.call(null, 'POST', '/devices/ingest/', message, { 'x-device-key': DEVICE_KEY })
    expect(heard).toMatchObject({ status: 201, body: { accepted: 0, ignored: 0 } })
    expect(await config()).toMatchObject({ mode: 7, pending_mode: null, mode_state: 'applied' })
  })

  test('R-4.9 the network of the Old tracker stays off after a message', async () => {
    await using own = await startPortal()
    const message = { serial: 'ALICE0000009', battery: 3, positions: [] }
    await own.call(null, 'POST', '/devices/ingest/', message, { 'x-device-key': DEVICE_KEY })
    expect((await own.call(alice, 'GET', `/devices/${devices.oldTracker}/tracker_config/`)).body.network_state).toBe('deactivated')
  })

  test('the theft form of the Stolen scooter includes the open report', async () => {
    const { status, raw } = await portal.call(alice, 'GET', `/devices/${devices.stolenScooter}/theft_form/`)
    const blank = await portal.call(alice, 'GET', `/devices/${devices.trailer}/theft_form/`)
    expect([status, blank.status]).toEqual([200, 200])
    expect(raw.subarray(0, 5).toString()).toBe('%PDF-')
    const words = 'The owner has not reported the theft in the portal.'
    expect(extractPdfText(blank.raw)).toContain(words)
    expect(extractPdfText(raw)).not.toContain(words)
    expect(extractPdfText(raw)).toContain('Place of the theft')
  })
})

describe('verification codes', () => {
  test('R-4.19 R-7.5 LINK2026 gives the Kitchen thirteen months', async () => {
    await using own = await startPortal()
    const answer = await own.call(alice, 'GET', linkUrl(devices.kitchen, CODES.valid))
    expect(answer).toMatchObject({
      status: 200,
      body: {
        device: devices.kitchen,
        sub_state: 'active',
        sub_end_date: t0({ months: 13 }),
        subscription: { type: 'one_time', duration_months: 12, extra_months: 1, renewal_date: null },
      },
    })
    const again = await own.call(alice, 'GET', linkUrl(devices.kitchen, CODES.valid))
    expect(again.body.sub_end_date).toBe(answer.body.sub_end_date)
  })

  test('R-4.20 LINK2026 can be used for one tracker only', async () => {
    await using own = await startPortal()
    await own.call(alice, 'GET', linkUrl(devices.kitchen, CODES.valid))
    expect(await own.call(alice, 'GET', linkUrl(devices.trailer, CODES.valid))).toMatchObject({
      status: 400,
      body: { code: 'no_subscription' },
    })
  })

  test('R-3.82 LINK2026 is accepted in lower case with spaces and a dash', async () => {
    await using own = await startPortal()
    expect((await own.call(alice, 'GET', linkUrl(devices.kitchen, ' link-2026 '.replaceAll(' ', '%20')))).status).toBe(200)
  })

  test('LINKUSED belongs to the Family car and returns its end of subscription', async () => {
    const answer = await portal.call(alice, 'GET', linkUrl(devices.familyCar, CODES.used))
    expect(answer).toMatchObject({ status: 200, body: { sub_state: 'active', sub_end_date: t0({ days: 300 }) } })
  })

  test('R-4.20 a code that is used, empty, unknown or incomplete is rejected', async () => {
    const rows = [
      ['LINKUSED on another tracker', CODES.used],
      ['NOSUB000, which leads to nothing', CODES.withoutSubscription],
      ['a code nobody made', 'ABCD1234'],
      ['half a code', 'LINK'],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([_, code]) => {
          expect(await portal.call(alice, 'GET', linkUrl(devices.kitchen, code))).toMatchObject({
            status: 400,
            body: { code: 'no_subscription' },
          })
        },
      ),
    ).toEqual([])
  })

  test('R-6.6 the valid code is refused for the Company van', async () => {
    const answer = await portal.call(alice, 'GET', linkUrl(devices.companyVan, CODES.valid))
    expect(answer).toMatchObject({ status: 409, body: { code: 'device_linked_to_pro' } })
  })
})
