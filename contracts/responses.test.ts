import { describe, expect, test } from 'vitest'
import { Price, Subscription } from '#contracts/billing/subscriptions.ts'
import { ErrorBody, errors } from '#contracts/lib/errors.ts'
import { type Contract, listErrorCodes } from '#contracts/lib/route.ts'
import { control } from '#contracts/mock/index.ts'
import { operatorApi } from '#contracts/operator/index.ts'
import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import { Device, DeviceEvent, TrackerStatus } from '#contracts/trackers/devices.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { api } from './index.ts'
import { PublicLink } from './links.ts'
import { liveEvents } from './live.ts'
import { HistoryPoint } from './positions.ts'

const tracker_status = {
  sub_state: 'active',
  sub_end_date: null,
  battery: -1,
  last_position: { lat: -34.9, lng: -56.1, precision: 5, datetime: '2026-03-02T09:00:00Z' },
  last_address: null,
  last_event: { type: 'moving', datetime: '2026-03-02T09:00:00Z' },
  stationary_since: null,
  online_since: null,
}
const device = {
  id: 1,
  type: 'tracker_01',
  name: 'Rex',
  serial: null,
  identifier: '1000000001',
  kind: 'dog',
  tag: null,
  is_public: false,
  visible: true,
  linked_to_pro: false,
  operator: 'lora',
  online_since: null,
  active_collar_since: null,
  tracker_config: {
    board_name: 'TRK1-A',
    usage: 'dog',
    mode: 21,
    pending_mode: null,
    mode_state: 'applied',
    frequency_moving: null,
    frequency_stationary: { min: 240, max: 240 },
    network_state: 'active',
  },
  tracker_status,
  price: null,
}
const price = {
  id: 'eur-1m',
  type: 'plan',
  name: '1 month',
  currency: 'eur',
  unit_amount: 199,
  tax_behavior: 'inclusive',
  recurring: { interval: 'month', interval_count: 1 },
  meta_data: { months: 1, extra: 0 },
}

describe('tracker responses', () => {
  test('R-3.1 every tracker type is accepted', async () => {
    expect(
      await collectFailures(['tracker_01', 'tracker_02', 'tracker_03', 'tracker_04', 'tracker_06', 'triby'] as const, String, (type) => {
        expect(Device.safeParse({ ...device, type }).success).toBe(true)
      }),
    ).toEqual([])
  })

  test('R-3.1 unknown tracker types are rejected', async () => {
    expect(
      await collectFailures(['tracker_05', 'TRACKER_01', '', null] as const, JSON.stringify, (type) =>
        expect(Device.safeParse({ ...device, type }).success).toBe(false),
      ),
    ).toEqual([])
  })

  test('R-3.15 unknown kinds are rejected', async () => {
    expect(
      await collectFailures(['robot', 'Dog', null] as const, JSON.stringify, (kind) =>
        expect(Device.safeParse({ ...device, kind }).success).toBe(false),
      ),
    ).toEqual([])
  })

  test('R-3.19 "plane" is rejected as a usage of the firmware', () => {
    const tracker_config = { ...device.tracker_config, usage: 'plane' }
    expect(Device.safeParse({ ...device, tracker_config }).success).toBe(false)
  })

  test('a tracker without any one of its fields is rejected', async () => {
    expect(
      await collectFailures(Object.keys(device), String, (field) =>
        expect(Device.safeParse({ ...device, [field]: undefined }).success).toBe(false),
      ),
    ).toEqual([])
  })

  test('a tracker status without any one of its fields is rejected', async () => {
    expect(
      await collectFailures(Object.keys(tracker_status), String, (field) => {
        expect(TrackerStatus.safeParse({ ...tracker_status, [field]: undefined }).success).toBe(false)
      }),
    ).toEqual([])
  })

  test('R-3.21 unknown subscription states and event types pass through', () => {
    expect(TrackerStatus.parse({ ...tracker_status, sub_state: 'paused' }).sub_state).toBe('paused')
    expect(DeviceEvent.parse({ type: 'sos', datetime: '2026-03-02T09:00:00Z' }).type).toBe('sos')
  })
})

describe('history responses', () => {
  const point = { id: 1, ...tracker_status.last_position, address: null, event: null, battery: null }

  test('a history point may carry any event or none', async () => {
    expect(
      await collectFailures([...EVENT_TYPES, null] as const, String, (event) =>
        expect(HistoryPoint.parse({ ...point, event }).event).toBe(event),
      ),
    ).toEqual([])
  })

  test('a history point with a value out of range is rejected', async () => {
    expect(
      await collectFailures(
        [{ lat: 91 }, { lng: 181 }, { precision: 1.5 }, { datetime: 'now' }, { battery: 'full' }] as const,
        JSON.stringify,
        (change) => {
          expect(HistoryPoint.safeParse({ ...point, ...change }).success).toBe(false)
        },
      ),
    ).toEqual([])
  })
})

describe('price responses', () => {
  test('R-3.62 R-3.65 R-3.66 a price may be one-time, of unspecified tax, and have months as text', async () => {
    expect(
      await collectFailures(
        [
          { recurring: null },
          { meta_data: { months: '12' } },
          { meta_data: { months: '12', extra: '1' } },
          { tax_behavior: 'unspecified' },
        ] as const,
        JSON.stringify,
        (change) => expect(Price.safeParse({ ...price, ...change }).success).toBe(true),
      ),
    ).toEqual([])
  })

  test('R-3.63 R-3.64 a price with an invalid type, currency, amount, tax or recurrence is rejected', async () => {
    expect(
      await collectFailures(
        [
          { type: 'gift' },
          { currency: 'EUR' },
          { currency: 'euro' },
          { unit_amount: 1.99 },
          { unit_amount: -1 },
          { tax_behavior: 'none' },
          { recurring: { interval: 'week', interval_count: 1 } },
          { recurring: { interval: 'month', interval_count: 0 } },
          { meta_data: {} },
        ] as const,
        JSON.stringify,
        (change) => expect(Price.safeParse({ ...price, ...change }).success).toBe(false),
      ),
    ).toEqual([])
  })

  test('R-3.62 R-3.70 a subscription is recurring or one-time and may renew on a date', () => {
    const subscription = {
      id: 1,
      type: 'one_time',
      price: null,
      tax: null,
      duration_months: 12,
      extra_months: 0,
      renewal_date: null,
      sub_end_date: null,
    }
    expect(Subscription.safeParse(subscription).success).toBe(true)
    expect(Subscription.safeParse({ ...subscription, type: 'recurring', renewal_date: '2026-03-02T09:00:00Z' }).success).toBe(true)
    expect(Subscription.safeParse({ ...subscription, type: 'plan' }).success).toBe(false)
    expect(Subscription.safeParse({ ...subscription, renewal_date: '2026-03-02' }).success).toBe(false)
  })
})

describe('public link responses', () => {
  const link = {
    uuid: '5eed0000-0000-4000-8000-000000000001',
    label: 'x',
    start_date: null,
    end_date: null,
    expiry: null,
    permanent: true,
    from_beginning: true,
    last_point: false,
  }

  test('R-3.61 a public link is identified by a uuid', () => {
    expect(PublicLink.safeParse(link).success).toBe(true)
    for (const uuid of ['1', '', '5eed0000-0000-4000-8000-00000000000', null])
      expect(PublicLink.safeParse({ ...link, uuid }).success).toBe(false)
  })
})

describe('live events', () => {
  const bodies = {
    position: { device: 1, tracker_status },
    status: { device: 1, tracker_status },
    mode: { device: 1, tracker_config: device.tracker_config },
    network: { device: 1, tracker_config: device.tracker_config },
    alert: { device: 1, type: 'place_enter', place: { id: 1, name: 'Home' }, datetime: '2026-03-02T09:00:00Z' },
  }

  test('the live stream has five events', () => expect(Object.keys(liveEvents).sort()).toEqual(Object.keys(bodies).sort()))

  test('every live event requires its tracker and its payload', async () => {
    expect(
      await collectFailures(
        Object.entries(liveEvents),
        ([name]) => name,
        ([name, schema]) => {
          const body = bodies[name as keyof typeof bodies]
          expect(schema.safeParse(body).success).toBe(true)
          expect(schema.safeParse({ ...body, device: undefined }).success).toBe(false)
          expect(schema.safeParse({ device: 1 }).success).toBe(false)
        },
      ),
    ).toEqual([])
  })

  test('an alert about a low battery has no place', () =>
    expect(liveEvents.alert.safeParse({ ...bodies.alert, place: null }).success).toBe(true))
})

describe('error codes', () => {
  test('every error code is in snake case and has a 4xx or 5xx status', async () => {
    expect(
      await collectFailures(
        Object.entries(errors),
        ([code]) => code,
        ([code, status]) => {
          expect(status).toBeGreaterThanOrEqual(400)
          expect(status).toBeLessThan(600)
          expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
        },
      ),
    ).toEqual([])
  })

  test('well-known error codes have their documented status', async () => {
    expect(
      await collectFailures(
        [
          ['validation_error', 400],
          ['not_authenticated', 401],
          ['invalid_credentials', 401],
          ['permission_denied', 403],
          ['not_found', 404],
          ['expired', 410],
          ['too_large', 413],
          ['serial_locked', 423],
          ['throttled', 429],
          ['server_error', 500],
        ] as const,
        ([code]) => code,
        ([code, status]) => expect(errors[code]).toBe(status),
      ),
    ).toEqual([])
  })

  test('every error code can be returned by some endpoint', () => {
    const answered = [...Object.values(api), ...Object.values(operatorApi), ...Object.values(control)].flatMap((contract: Contract) =>
      Object.values(contract).flatMap(listErrorCodes),
    )
    // Paths of webhooks, of the control plane, and of files.
    const elsewhere = ['bad_signature', 'unknown_world', 'precondition_failed', 'range_not_satisfiable']
    expect(Object.keys(errors).filter((code) => !answered.some((known) => known === code) && !elsewhere.includes(code))).toEqual([])
  })

  test('an error response has detail and code, and errors by field or by line', () => {
    const body = { detail: 'serial locked', code: 'serial_locked', remaining_attempts: 0 }
    expect(ErrorBody.parse(body)).toEqual(body)
    expect(ErrorBody.safeParse({ code: 'expired' }).success).toBe(false)
    expect(ErrorBody.safeParse({ detail: 'x', code: 'x', errors: { label: 'required' } }).success).toBe(false)
    expect(ErrorBody.safeParse({ detail: 'x', code: 'x', errors: { label: ['required'] } }).success).toBe(true)
    expect(ErrorBody.safeParse({ detail: 'x', code: 'x', errors: [{ line: 2, errors: { type: ['required'] } }] }).success).toBe(true)
    expect(ErrorBody.safeParse({ detail: 'x', code: 'x', errors: [{ type: ['required'] }] }).success).toBe(false)
  })
})
