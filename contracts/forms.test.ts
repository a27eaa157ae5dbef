import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { UnlinkRequest } from './conflicts.ts'
import { NewPublicLink } from './links.ts'
import { Message } from './positions.ts'
import { Sct2Params } from './sct2.ts'
import { sessions } from './sessions.ts'
import { subscriptions } from './subscriptions.ts'
import { Password, Registration, SettingsChange } from './users.ts'

/** The fields a body is refused for, each once; none when it is taken. */
function faults(schema: z.ZodMiniType, body: unknown) {
  const result = schema.safeParse(body)
  return result.success ? [] : [...new Set(result.error.issues.map(({ path }) => String(path[0])))]
}

describe('R-5.2 R-9.22 a password', () => {
  test.each(['12345678', 'a'.repeat(128), '        ', 'пароль-123', '🔑'.repeat(8), ' Demo-1234 '])('%j is taken as it is', (text) => {
    expect(Password.parse(text)).toBe(text)
  })

  test.each(['', '1234567', 'a'.repeat(129), null, 12_345_678])('%j is refused', (text) => {
    expect(Password.safeParse(text).success).toBe(false)
  })
})

describe('D-10 a registration', () => {
  const body = { email: 'ana@example.com', password: 'Demo-1234', first_name: 'Ana', last_name: 'B' }

  test('R-3.50 needs four fields and consents to nothing by itself', () => {
    expect(Registration.parse(body)).toEqual({ ...body, marketing_consent: false })
  })

  test.each(Object.keys(body))('R-5.1 R-5.4 needs %s', (field) => {
    expect(faults(Registration, { ...body, [field]: undefined })).toEqual([field])
    expect(faults(Registration, { ...body, [field]: '' })).toEqual([field])
  })

  test.each([
    ['R-3.45', 'first_name', 'x'.repeat(50), true],
    ['R-3.45', 'first_name', 'x'.repeat(51), false],
    ['R-3.46', 'last_name', '   ', false],
    ['R-3.47', 'birth_date', '1900-01-01', true],
    ['R-3.47', 'birth_date', '1899-12-31', false],
    ['R-3.47', 'birth_date', '2001-02-29', false],
    ['R-3.47', 'birth_date', '01.02.2001', false],
    ['R-3.47', 'birth_date', null, true],
    ['D-10', 'language', 'ja', true],
    ['D-10', 'language', 'zh', false],
    ['D-10', 'currency', 'chf', true],
    ['D-10', 'currency', 'EUR', false],
    ['R-3.50', 'marketing_consent', true, true],
    ['R-3.50', 'marketing_consent', 'true', false],
    ['R-3.41', 'username', 'ana', true],
    ['R-3.41', 'username', '', false],
    ['D-10', 'time_zone', 'America/Montevideo', true],
    ['D-10', 'time_zone', null, true],
    ['D-10', 'time_zone', 'Montevideo', false],
  ])('%s %s of %j is taken: %s', (_, field, value, isTaken) => {
    expect(faults(Registration, { ...body, [field]: value })).toEqual(isTaken ? [] : [field])
  })

  test('R-3.44 no role can be asked for', () => {
    expect(Registration.parse({ ...body, role: 'admin', email_confirmed: true })).not.toHaveProperty('role')
  })
})

describe('R-7.19 a change of settings', () => {
  test('may name any field, or none', () => {
    expect(SettingsChange.parse({})).toEqual({})
    expect(SettingsChange.parse({ lastname: ' Öz ' })).toEqual({ lastname: 'Öz' })
  })

  test.each([
    { firstname: null },
    { lastname: '' },
    { birthday: '1899-12-31' },
    { language: 'EN' },
    { currency: 'jpy' },
    { marketing_consent: 1 },
    { admin_email: 'boss' },
    { time_zone: 'UTC+3' },
  ])('refuses %j', (change) => expect(faults(SettingsChange, change)).toEqual(Object.keys(change)))
})

describe('D-17 a new public link', () => {
  test('needs a label and no more; what is not said is no', () => {
    expect(NewPublicLink.parse({ label: ' Family ' })).toEqual({
      label: 'Family',
      permanent: false,
      from_beginning: false,
      last_point: false,
    })
  })

  test.each([
    [{ label: '' }, 'label'],
    [{ label: 'x'.repeat(61) }, 'label'],
    [{ end_date: '2026-03-01' }, 'end_date'],
    [{ start_date: 'now' }, 'start_date'],
    [{ permanent: 'yes' }, 'permanent'],
    [{ from_beginning: null }, 'from_beginning'],
    [{ last_point: 1 }, 'last_point'],
  ])('R-3.54 R-3.55 is refused with %j', (change, field) => expect(faults(NewPublicLink, { label: 'Family', ...change })).toEqual([field]))

  test('R-3.54 a label of sixty characters is long enough', () => expect(faults(NewPublicLink, { label: 'x'.repeat(60) })).toEqual([]))
})

describe('R-5.14 R-5.15 R-5.16 R-5.17 R-9.10 parameters of the configurable mode', () => {
  const params = { frequency: 60, keepalive_period: 1440, temp_uplink_slices_duration: 2, temp_slice_duration: 60 }

  test.each([
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
  ])('R-3.86 R-3.87 R-3.88 R-3.89 %s of %j is valid: %s', (field, value, isValid) => {
    expect(faults(Sct2Params, { ...params, [field]: value })).toEqual(isValid ? [] : [field])
  })

  test.each(Object.keys(params))('all four are wanted: not without %s', (field) => {
    expect(faults(Sct2Params, { ...params, [field]: undefined })).toEqual([field])
  })
})

describe('D-33 a message of a device', () => {
  const fix = { lat: -34.9, lng: -56.16, precision: 5, datetime: '2026-03-02T09:00:00Z' }

  test.each([
    { identifier: '1000000001', positions: [] },
    { serial: 'ALICE0000001', positions: [fix] },
    { identifier: '10000000-01', serial: 'ALICE0000001', battery: -1, positions: [{ ...fix, event: 'button' }] },
    { identifier: '1000000001', positions: Array.from({ length: 1000 }, () => fix) },
  ])('is taken with one of its numbers and any fixes (row %#)', (message) => expect(faults(Message, message)).toEqual([]))

  test.each([
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
  ])('is refused for a field (row %#)', (message, field) => expect(faults(Message, message)).toEqual([field]))
})

describe('D-15 a request to free a tracker', () => {
  const body = { identifier: '80000000-01', email: 'ana@example.com', reason: 'gift' }

  test.each([{}, { identifier: undefined, serial: 'VICTOR000001' }, { message: 'x'.repeat(1000) }, { purchase_date: '2026-02-28' }])(
    'is taken with %j',
    (change) => expect(faults(UnlinkRequest, { ...body, ...change })).toEqual([]),
  )

  test.each([
    [{ identifier: undefined }, 'identifier'],
    [{ email: 'ana' }, 'email'],
    [{ reason: 'theft' }, 'reason'],
    [{ message: 'x'.repeat(1001) }, 'message'],
    [{ purchase_date: '2026-02-29' }, 'purchase_date'],
    [{ purchase_place: '' }, 'purchase_place'],
    [{ order_reference: 'x'.repeat(61) }, 'order_reference'],
    [{ serial_proof: '1' }, 'serial_proof'],
  ])('is refused with %j', (change, field) => expect(faults(UnlinkRequest, { ...body, ...change })).toEqual([field]))
})

describe('R-7.13 signing in', () => {
  const { body } = sessions.signIn

  test.each([
    [{ username: ' ana ', password: 'x' }, []],
    [{ username: 'ana', password: '1' }, []],
    [{ username: '', password: 'x' }, ['username']],
    [{ username: 'ana', password: '' }, ['password']],
    [{ username: 'ana', password: 'x'.repeat(1001) }, ['password']],
    [{}, ['username', 'password']],
  ])('R-5.2 asks for both words, of any length: %j', (credentials, wrong) => expect(faults(body, credentials)).toEqual(wrong))
})

describe('D-21 a purchase', () => {
  const { body } = subscriptions.pay
  const line = { device: 1, price: 'eur-12m' }

  test('comes back to the subscription page unless it says otherwise', () => {
    expect(body.parse({ items: [line] })).toMatchObject({ options: [], success_path: '/subscription?checkout=success' })
  })

  test.each([
    [{ items: [] }, 'items'],
    [{ items: [{ device: '1', price: 'eur-12m' }] }, 'items'],
    [{ items: Array.from({ length: 101 }, () => line) }, 'items'],
    [{ items: [line], options: 'care' }, 'options'],
    [{ items: [line], cancel_path: '' }, 'cancel_path'],
  ])('is refused for a field (row %#)', (purchase, field) => expect(faults(body, purchase)).toEqual([field]))
})
