import { expect, test } from 'vitest'
import { distanceMeters } from '#contracts/rules/geo/coordinates.ts'
import { normalizeNetworkNumber } from '#contracts/rules/reading/network-number.ts'
import { type HarEntry, parseJson } from './har-schema.ts'
import { replaceValues } from './replace-values.ts'

type Parts = { url?: string; sent?: unknown; headers?: Record<string, string>; status?: number; body?: unknown; location?: string }

const entry = ({ url = 'https://api.firm.no/users/me/', sent, headers = {}, status = 200, body = {}, location }: Parts): HarEntry => ({
  startedDateTime: '2026-02-03T10:00:00Z',
  time: 1,
  request: {
    method: 'GET',
    url,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    ...(sent !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
  },
  response: {
    status,
    headers: location === undefined ? [] : [{ name: 'Location', value: location }],
    content: { mimeType: 'application/json', text: typeof body === 'string' ? body : JSON.stringify(body) },
  },
})

const replace = (entries: HarEntry[], keepPeople = false) => replaceValues({ entries, people: 'real' }, { keepPeople }).entries
const bodyOf = ({ response }: HarEntry) => parseJson(response.content.text!) as Record<string, never>

test('secrets are replaced in bodies, headers, queries, paths and redirects, equal ones by equal ones', () => {
  const [one, two, three] = replace(
    [
      entry({ sent: { password: 'hunter-22', code: '123456' }, body: { token: 'tok-abcdef', recovery_codes: ['AAAA-1', 'AAAA-2'] } }),
      entry({
        url: 'https://api.firm.no/devices/?token=tok-abcdef&type=tracker#part',
        headers: { Authorization: 'Bearer tok-abcdef', Cookie: 'sessionid=ses-123456; theme=dark', 'User-Agent': 'Kari on her phone' },
        body: {
          hosted_url: 'https://pay.example/i/acct_1/live_YWNjdF8xTmVFUW9zT0xa?s=ap',
          note_of: 'sent with tok-abcdef',
          jwt_like: 'eyJhbGciOi.eyJzdWIi.c2ln',
        },
      }),
      entry({
        status: 302,
        location: 'https://portal.firm.no/back?token=never-seen-before',
        body: { code: 'not_found', detail: 'hunter-22' },
      }),
    ],
    true,
  ) as [HarEntry, HarEntry, HarEntry]
  const text = JSON.stringify([one, two, three])
  for (const secret of ['hunter-22', '123456', 'tok-abcdef', 'AAAA-', 'ses-', 'dark', 'Kari', 'YWNjd', 'eyJ', 'never-seen', '#part'])
    expect(text).not.toContain(secret)
  const { token } = bodyOf(one)
  expect(two.request.url).toBe(`https://api.firm.no/devices/?token=${token}&type=tracker`)
  expect(two.request.headers).toContainEqual({ name: 'authorization', value: `Bearer ${token}` })
  expect(bodyOf(two).note_of).toBe(`sent with ${token}`)
  expect(bodyOf(three).code).toBe('not_found')
})

test('the numbers that prove or claim a tracker are replaced by others of the same form, equal ones by equal ones in every notation', () => {
  const tracker = {
    identifier: '1234567890',
    serial: 'ABCD12345678',
    imei: '490154203237518',
    dev_eui: '70B3D57ED0000001',
    sigfox: '1A2B3C4D',
  }
  const [list, check, alert] = replace(
    [
      entry({ body: [tracker, { ...tracker, identifier: '2234567890', serial: 'WXYZ12345678' }] }),
      entry({
        url: 'https://api.firm.no/devices/trackers/serial_check/?identifier=12345678-90',
        sent: { identifier: '12345678 90', serial: 'abcd-1234-5678' },
        status: 400,
        body: { errors: { identifier: ['Must be 8+2 digits'], serial: ['Must be 12 letters and digits'] }, remaining_attempts: 2 },
      }),
      entry({
        url: 'https://api.firm.no/devices/?search=abcd12345678',
        body: { detail: '12345678-90 (ABCD12345678) moves', identifier: 1234567890 },
      }),
    ],
    true,
  ) as [HarEntry, HarEntry, HarEntry]
  const text = JSON.stringify([list, check, alert])
  for (const real of ['1234567890', '12345678-90', '12345678 90', '2234567890', '490154203237518', '70B3D57ED0000001', '1A2B3C4D'])
    expect(text).not.toContain(real)
  expect(text).not.toMatch(/abcd-?1234-?5678|WXYZ/i)
  const [first, second] = bodyOf(list) as unknown as (typeof tracker)[]
  expect(first).toEqual({
    identifier: '9900000001',
    serial: 'MADE00000001',
    imei: '990000000000010',
    dev_eui: 'FFFFFFFF00000001',
    sigfox: 'F0000001',
  })
  expect([second!.identifier, second!.serial]).toEqual(['9900000002', 'MADE00000002'])
  expect(normalizeNetworkNumber('imei', first!.imei)).toBe(first!.imei)
  expect(check.request.url).toContain('identifier=99000000-01')
  expect(parseJson(check.request.postData!.text!)).toEqual({ identifier: '99000000 01', serial: 'MADE-0000-0001' })
  expect(bodyOf(check).errors).toEqual({ identifier: ['Must be 8+2 digits'], serial: ['Must be 12 letters and digits'] })
  expect(alert.request.url).toContain('search=MADE00000001')
  expect(bodyOf(alert)).toEqual({ detail: '99000000-01 (MADE00000001) moves', identifier: 9900000001 })
  expect(replace([list, check, alert], true)).toEqual([list, check, alert])
})

test('people are replaced in their fields and wherever else they are named, and distances are preserved', () => {
  const home = { lat: 59.9139, lng: 10.7522 }
  const work = { lat: 59.923, lng: 10.7701 }
  const [me, contacts, trackers, csv] = replace([
    entry({ body: { first_name: 'Kari', last_name: 'Nordmann', email: 'Kari@firm.no', birth_date: '1971-05-17', role: 'user' } }),
    entry({ body: [{ name: 'Ola Hansen', email: 'ola@firm.no', phone: '+47 99 88 77 66' }] }),
    entry({
      body: [
        { name: "Kari's dog", address: 'Storgata 1', ...home, note: '' },
        { name: 'Karikatur', last_address: 'Storgata 1', ...work, label: 'for ola@firm.no' },
      ],
    }),
    entry({ body: 'time,address\n1,Storgata 1' }),
  ]) as [HarEntry, HarEntry, HarEntry, HarEntry]
  expect(bodyOf(me)).toEqual({ first_name: 'Ada', last_name: 'Ash', email: 'person1@example.com', birth_date: '1980-01-01', role: 'user' })
  expect(bodyOf(contacts)).toEqual([{ name: 'Ada Ash', email: 'person2@example.com', phone: '+1 555 0101' }])
  const [dog, other] = bodyOf(trackers) as unknown as [typeof home & { name: string }, typeof home]
  expect(dog).toMatchObject({ name: "Ada's dog", address: '1 Elm Street', lat: -34.9, lng: -56.18, note: '' })
  expect(other).toMatchObject({ name: 'Karikatur', last_address: '1 Elm Street', label: 'for person2@example.com' })
  expect(distanceMeters(dog, other) / distanceMeters(home, work)).toBeCloseTo(1, 2)
  expect(csv.response.content.text).toBeUndefined()
})

test('a long text without spaces is replaced in time', () => {
  const [one] = replace([entry({ body: { long: 'x'.repeat(200_000), after: 'kari@firm.no' } })]) as [HarEntry]
  expect(bodyOf(one).after).toBe('person1@example.com')
})
