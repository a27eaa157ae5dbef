import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { sessions } from '#contracts/accounts/sessions.ts'
import { Password, Registration, SettingsChange } from '#contracts/accounts/users.ts'
import { subscriptions } from '#contracts/billing/subscriptions.ts'
import { UnlinkRequest } from '#contracts/trackers/conflicts.ts'
import { Sct2Params } from '#contracts/trackers/sct2.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { NewPublicLink } from './links.ts'
import { Message } from './positions.ts'

/** The fields for which a body is rejected, without duplicates; empty if it is accepted. */
function faults(schema: z.ZodMiniType, body: unknown) {
  const result = schema.safeParse(body)
  return result.success ? [] : [...new Set(result.error.issues.map(({ path }) => String(path[0])))]
}

describe('passwords', () => {
  test('R-5.2 R-9.22 a password of 8 to 128 characters is accepted unchanged', async () => {
    expect(
      await collectFailures(
        ['12345678', 'a'.repeat(128), '        ', 'пароль-123', '🔑'.repeat(8), ' Demo-1234 '] as const,
        JSON.stringify,
        (text) => {
          expect(Password.parse(text)).toBe(text)
        },
      ),
    ).toEqual([])
  })

  test('R-5.2 R-9.22 a shorter, longer or non-text password is rejected', async () => {
    expect(
      await collectFailures(['', '1234567', 'a'.repeat(129), null, 12_345_678] as const, JSON.stringify, (text) => {
        expect(Password.safeParse(text).success).toBe(false)
      }),
    ).toEqual([])
  })
})

describe('registrations', () => {
  const body = { email: 'ana@example.com', password: 'Demo-1234', first_name: 'Ana', last_name: 'B' }

  test('R-3.50 a registration needs four fields and gives no marketing consent by default', () => {
    expect(Registration.parse(body)).toEqual({ ...body, marketing_consent: false })
  })

  test('R-5.1 R-5.4 a registration without any one of its required fields is rejected', async () => {
    expect(
      await collectFailures(Object.keys(body), String, (field) => {
        expect(faults(Registration, { ...body, [field]: undefined })).toEqual([field])
        expect(faults(Registration, { ...body, [field]: '' })).toEqual([field])
      }),
    ).toEqual([])
  })

  test('R-3.41 R-3.45 R-3.46 R-3.47 R-3.50 a registration is accepted or rejected by the value of each field', async () => {
    expect(
      await collectFailures(
        [
          ['R-3.45', 'first_name', 'x'.repeat(50), true],
          ['R-3.45', 'first_name', 'x'.repeat(51), false],
          ['R-3.46', 'last_name', '   ', false],
          ['R-3.47', 'birth_date', '1900-01-01', true],
          ['R-3.47', 'birth_date', '1899-12-31', false],
          ['R-3.47', 'birth_date', '2001-02-29', false],
          ['R-3.47', 'birth_date', '01.02.2001', false],
          ['R-3.47', 'birth_date', null, true],
          ['', 'language', 'ja', true],
          ['', 'language', 'zh', false],
          ['', 'currency', 'chf', true],
          ['', 'currency', 'EUR', false],
          ['R-3.50', 'marketing_consent', true, true],
          ['R-3.50', 'marketing_consent', 'true', false],
          ['R-3.41', 'username', 'ana', true],
          ['R-3.41', 'username', '', false],
          ['', 'time_zone', 'America/Montevideo', true],
          ['', 'time_zone', null, true],
          ['', 'time_zone', 'Montevideo', false],
        ] as const,
        ([, field, value]) => `${field} ${value}`,
        ([, field, value, isTaken]) => {
          expect(faults(Registration, { ...body, [field]: value })).toEqual(isTaken ? [] : [field])
        },
      ),
    ).toEqual([])
  })

  test('R-3.44 a registration ignores a requested role', () => {
    expect(Registration.parse({ ...body, role: 'admin', email_confirmed: true })).not.toHaveProperty('role')
  })
})

describe('settings changes', () => {
  test('R-7.19 a settings change may contain any field, or none', () => {
    expect(SettingsChange.parse({})).toEqual({})
    expect(SettingsChange.parse({ lastname: ' Öz ' })).toEqual({ lastname: 'Öz' })
  })

  test('R-7.19 a settings change with an invalid value is rejected for that field', async () => {
    expect(
      await collectFailures(
        [
          { firstname: null },
          { lastname: '' },
          { birthday: '1899-12-31' },
          { language: 'EN' },
          { currency: 'isk' },
          { marketing_consent: 1 },
          { admin_email: 'boss' },
          { time_zone: 'UTC+3' },
        ] as const,
        JSON.stringify,
        (change) => expect(faults(SettingsChange, change)).toEqual(Object.keys(change)),
      ),
    ).toEqual([])
  })
})

describe('new public links', () => {
  test('a new link needs only a label; its options are off by default', () => {
    expect(NewPublicLink.parse({ label: ' Family ' })).toEqual({
      label: 'Family',
      permanent: false,
      from_beginning: false,
      last_point: false,
    })
  })

  test('R-3.54 R-3.55 a new link with an invalid value is rejected for that field', async () => {
    expect(
      await collectFailures(
        [
          [{ label: '' }, 'label'],
          [{ label: 'x'.repeat(61) }, 'label'],
          [{ end_date: '2026-03-01' }, 'end_date'],
          [{ start_date: 'now' }, 'start_date'],
          [{ permanent: 'yes' }, 'permanent'],
          [{ from_beginning: null }, 'from_beginning'],
          [{ last_point: 1 }, 'last_point'],
        ] as const,
        JSON.stringify,
        ([change, field]) => expect(faults(NewPublicLink, { label: 'Family', ...change })).toEqual([field]),
      ),
    ).toEqual([])
  })

  test('R-3.54 a label of sixty characters is accepted', () => expect(faults(NewPublicLink, { label: 'x'.repeat(60) })).toEqual([]))
})

describe('configurable-mode parameters', () => {
  const params = { frequency: 60, keepalive_period: 1440, temp_uplink_slices_duration: 2, temp_slice_duration: 60 }

  test('R-3.86 R-3.87 R-3.88 R-3.89 R-5.14 R-5.15 R-5.16 R-5.17 R-9.10 configurable-mode parameters are accepted within their ranges only', async () => {
    expect(
      await collectFailures(
        [
          ['frequency', 1, true],
          ['frequency', 180, true],
          ['frequency', 0, false],
          ['frequency', 181, false],
          ['frequency', 1.5, false],
          ['frequency', '', false],
          ['frequency', '10a', false],
          ['frequency', '60', false],
          ['frequency', Number.NaN, false],
          ['frequency', null, false],
          ['keepalive_period', 1, true],
          ['keepalive_period', 1440, true],
          ['keepalive_period', 0, false],
          ['keepalive_period', 1441, false],
          ['keepalive_period', 2.5, false],
          ['temp_uplink_slices_duration', 2, true],
          ['temp_uplink_slices_duration', 1, false],
          ['temp_uplink_slices_duration', 3, false],
          ['temp_uplink_slices_duration', '2', false],
          ['temp_slice_duration', 60, true],
          ['temp_slice_duration', 720, true],
          ['temp_slice_duration', 61, false],
          ['temp_slice_duration', 0, false],
          ['temp_slice_duration', 120, false],
        ] as const,
        ([field, value]) => `${field} ${value}`,
        ([field, value, isValid]) => {
          expect(faults(Sct2Params, { ...params, [field]: value })).toEqual(isValid ? [] : [field])
        },
      ),
    ).toEqual([])
  })

  test('R-5.14 R-5.15 R-5.16 R-5.17 each configurable-mode parameter is required', async () => {
    expect(
      await collectFailures(Object.keys(params), String, (field) => {
        expect(faults(Sct2Params, { ...params, [field]: undefined })).toEqual([field])
      }),
    ).toEqual([])
  })
})

describe('device messages', () => {
  const fix = { lat: -34.9, lng: -56.16, precision: 5, datetime: '2026-03-02T09:00:00Z' }

  test('a device message with either number and up to 1000 fixes is accepted', async () => {
    expect(
      await collectFailures(
        [
          { identifier: '1000000001', positions: [] },
          { serial: 'ALICE0000001', positions: [fix] },
          { identifier: '10000000-01', serial: 'ALICE0000001', battery: -1, positions: [{ ...fix, event: 'button' }] },
          { identifier: '1000000001', positions: Array.from({ length: 1000 }, () => fix) },
        ] as const,
        (row) => JSON.stringify(row).slice(0, 100),
        (message) => expect(faults(Message, message)).toEqual([]),
      ),
    ).toEqual([])
  })

  test('a device message with an invalid field is rejected for that field', async () => {
    expect(
      await collectFailures(
        [
          [{ positions: [] }, 'identifier'],
          [{ identifier: '1000000001' }, 'positions'],
          [{ identifier: 1_000_000_001, positions: [] }, 'identifier'],
          [{ serial: 'x', battery: 'full', positions: [] }, 'battery'],
          [{ serial: 'x', positions: [{ ...fix, lat: 91 }] }, 'positions'],
          [{ serial: 'x', positions: [{ ...fix, lng: -181 }] }, 'positions'],
          [{ serial: 'x', positions: [{ ...fix, precision: -1 }] }, 'positions'],
          [{ serial: 'x', positions: [{ ...fix, precision: 2.5 }] }, 'positions'],
          [{ serial: 'x', positions: [{ ...fix, datetime: 'now' }] }, 'positions'],
          [{ serial: 'x', positions: [{ ...fix, event: 'party' }] }, 'positions'],
          [{ serial: 'x', positions: Array.from({ length: 1001 }, () => fix) }, 'positions'],
        ] as const,
        ([message]) => JSON.stringify(message).slice(0, 100),
        ([message, field]) => expect(faults(Message, message)).toEqual([field]),
      ),
    ).toEqual([])
  })
})

describe('release requests', () => {
  const body = { identifier: '80000000-01', email: 'ana@example.com', reason: 'gift' }

  test('a release request with either number and its optional fields is accepted', async () => {
    expect(
      await collectFailures(
        [{}, { identifier: undefined, serial: 'VICTOR000001' }, { message: 'x'.repeat(1000) }, { purchase_date: '2026-02-28' }] as const,
        JSON.stringify,
        (change) => expect(faults(UnlinkRequest, { ...body, ...change })).toEqual([]),
      ),
    ).toEqual([])
  })

  test('a release request with an invalid field is rejected for that field', async () => {
    expect(
      await collectFailures(
        [
          [{ identifier: undefined }, 'identifier'],
          [{ email: 'ana' }, 'email'],
          [{ reason: 'theft' }, 'reason'],
          [{ message: 'x'.repeat(1001) }, 'message'],
          [{ purchase_date: '2026-02-29' }, 'purchase_date'],
          [{ purchase_place: '' }, 'purchase_place'],
          [{ order_reference: 'x'.repeat(61) }, 'order_reference'],
          [{ serial_proof: '1' }, 'serial_proof'],
        ] as const,
        JSON.stringify,
        ([change, field]) => expect(faults(UnlinkRequest, { ...body, ...change })).toEqual([field]),
      ),
    ).toEqual([])
  })
})

describe('sign-in', () => {
  const { body } = sessions.signIn

  test('R-7.13 R-5.2 a sign-in requires a name and a password of any length', async () => {
    expect(
      await collectFailures(
        [
          [{ username: ' ana ', password: 'x' }, []],
          [{ username: 'ana', password: '1' }, []],
          [{ username: '', password: 'x' }, ['username']],
          [{ username: 'ana', password: '' }, ['password']],
          [{ username: 'ana', password: 'x'.repeat(1001) }, ['password']],
          [{}, ['username', 'password']],
        ] as const,
        JSON.stringify,
        ([credentials, wrong]) => expect(faults(body, credentials)).toEqual(wrong),
      ),
    ).toEqual([])
  })
})

describe('purchases', () => {
  const { body } = subscriptions.pay
  const line = { device: 1, price: 'eur-12m' }

  test('a purchase returns to the subscription page by default', () => {
    expect(body.parse({ items: [line] })).toMatchObject({ options: [], success_path: '/subscription?checkout=success' })
  })

  test('a purchase with an invalid field is rejected for that field', async () => {
    expect(
      await collectFailures(
        [
          [{ items: [] }, 'items'],
          [{ items: [{ device: '1', price: 'eur-12m' }] }, 'items'],
          [{ items: Array.from({ length: 101 }, () => line) }, 'items'],
          [{ items: [line], options: 'care' }, 'options'],
          [{ items: [line], cancel_path: '' }, 'cancel_path'],
        ] as const,
        ([purchase]) => JSON.stringify(purchase).slice(0, 100),
        ([purchase, field]) => expect(faults(body, purchase)).toEqual([field]),
      ),
    ).toEqual([])
  })
})
