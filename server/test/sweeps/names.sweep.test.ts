import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const ADMIN = 'admin@pro.example.com'
const { rex } = SEED.devices
const place = { address: 'Ellauri 350', type: 'other', lat: -34.9, lng: -56.16 }
const theft = { date: '2026-03-02T08:00:00Z', address: 'Ellauri 350', description: 'The lock was cut.' }
const care = { reason: 'broken', description: 'It fell.', delivery: 'Ellauri 350' }
const member = { first_name: 'Mia', last_name: 'Muster' }

type NamedField = readonly [field: string, method: 'POST' | 'PATCH', path: string, rest: object, as?: string]

/** Every call that accepts a name or another text for people. */
const NAMED_FIELDS: NamedField[] = [
  ['name', 'PATCH', `/devices/${rex}/`, {}],
  ['name', 'POST', '/devices/trackers/', { identifier: '90000000-01', kind: 'dog' }],
  ['name', 'POST', '/tracker_places/', place],
  ['address', 'POST', '/tracker_places/', { ...place, name: 'Vet' }],
  ['name', 'PATCH', `/tracker_places/${SEED.places.home}/`, {}],
  ['name', 'POST', '/tracker_tags/', {}],
  ['name', 'PATCH', `/tracker_tags/${SEED.tags.pets}/`, {}],
  ['name', 'POST', '/tracker_contacts/', { email: 'erin@example.net' }],
  ['name', 'PATCH', `/tracker_contacts/${SEED.contacts.bob}/`, {}],
  ['label', 'POST', `/devices/${rex}/public_share_link/`, { permanent: true, from_beginning: true }],
  ['label', 'POST', '/tracker_public_share_links/', { devices: [rex], permanent: true, from_beginning: true }],
  ['label', 'POST', '/users/tokens/', { scopes: ['places:read'] }],
  ['firstname', 'PATCH', '/users/settings/', {}],
  ['lastname', 'PATCH', '/users/settings/', {}],
  ['first_name', 'POST', '/users/team/', { ...member, email: 'mia@example.net' }, ADMIN],
  ['last_name', 'POST', '/users/team/', { ...member, email: 'mia@example.net' }, ADMIN],
  ['first_name', 'POST', '/users/register', { ...member, email: 'mia@example.net', password: 'Fresh-123' }],
  ['last_name', 'POST', '/users/register', { ...member, email: 'mia@example.net', password: 'Fresh-123' }],
  ['address', 'POST', `/devices/${rex}/theft_report/`, theft],
  ['description', 'POST', `/devices/${rex}/theft_report/`, theft],
  ['description', 'POST', `/devices/${rex}/care_claim/`, care],
  ['delivery', 'POST', `/devices/${rex}/care_claim/`, care],
]

const describeField = ([field, method, path]: NamedField) => `${method} ${path} ${field}`

test('a name or text without visible characters is refused for its field by every call', async () => {
  await using portal = await startPortal()
  const failures = await collectFailures(NAMED_FIELDS, describeField, async ([field, method, path, rest, as = ALICE]) => {
    for (const text of ['\u200b', '\u00a0\u3000', '\u202e\u2066', '\u3164', '\ufe0f', '\n\t', '\u2800']) {
      const { status, body } = await portal.call(as, method, path, { ...rest, [field]: text })
      expect([status, Object.keys(body.errors ?? {})], JSON.stringify(text)).toEqual([400, [field]])
    }
  })
  expect(failures).toEqual([])
})

test('every call stores a name in composed form, on one line, without invisible characters', async () => {
  const names: NamedField[] = NAMED_FIELDS.filter(([, method, , , as]) => method === 'PATCH' && !as)
  await using portal = await startPortal()
  const failures = await collectFailures(names, describeField, async ([field, method, path, rest]) => {
    const rows = [
      ['\u202eVe\u0301lo\u200b\r\n5 \ufeff', 'Vélo 5'],
      ['👩🏽\u200d🚀 ❤️ می\u200cخواهم', '👩🏽\u200d🚀 ❤️ می\u200cخواهم'],
    ] as const
    for (const [typed, stored] of rows) {
      const { status, body } = await portal.call(ALICE, method, path, { ...rest, [field]: typed })
      expect([status, body[field]]).toEqual([200, stored])
    }
  })
  expect(failures).toEqual([])
})

test('a description keeps its line breaks', async () => {
  await using portal = await startPortal()
  const { body } = await portal.call(ALICE, 'POST', `/devices/${rex}/theft_report/`, {
    ...theft,
    description: 'The lock\r\nwas\u200b cut.',
  })
  expect(body.description).toBe('The lock\nwas cut.')
})

test('a place of a csv file has a blank instead of a line break, and a name with visible characters is required', async () => {
  await using portal = await startPortal()
  const csv = 'name,address,type\n"Vet\n5",Ellauri 350,other\n\u200b,Ellauri 350,other\n'
  const { body } = await portal.call(ALICE, 'POST', '/tracker_places/import_csv/', csv, { 'content-type': 'text/csv' })
  expect(body.created.map(({ name }: { name: string }) => name)).toEqual(['Vet 5'])
  expect(body.errors).toEqual([{ line: 4, errors: { name: ['required'] } }])
})
