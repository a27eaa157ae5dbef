import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { PublicLink } from '#contracts/links.ts'
import { readTolerantly } from './tolerant.ts'

const UUID = '00000000-0000-4000-8000-000000000001'
const HEX = 'f'.repeat(40)
const link = {
  label: 'For the vet',
  start_date: null,
  end_date: null,
  expiry: null,
  permanent: true,
  from_beginning: false,
  last_point: false,
}

test.each([
  ['a uuid', { uuid: UUID }, { uuid: UUID }],
  ['a uuid and a token of its own', { uuid: UUID, token: HEX }, { uuid: UUID, token: HEX }],
  ['forty hexadecimal digits as its uuid', { uuid: HEX }, { uuid: HEX }],
  ['a number as its uuid', { uuid: 17 }, { uuid: '17' }],
  ['only a token', { token: 'eyJh.eyJz.c2ln' }, { uuid: 'eyJh.eyJz.c2ln', token: 'eyJh.eyJz.c2ln' }],
  ['only an id', { id: 17 }, { uuid: '17' }],
])('a public link with %s is read', (_, given, read) => {
  expect(readTolerantly(PublicLink, { ...link, ...given })).toMatchObject({ ok: true, value: { ...link, ...read } })
})

test('a public link without an identifier is unreadable', () => {
  expect(readTolerantly(PublicLink, link).ok).toBe(false)
})

test('a single link instead of a list of links is read as the only one', () => {
  const only = { ...link, uuid: UUID }
  expect(readTolerantly(z.array(PublicLink), only)).toMatchObject({ ok: true, value: [only] })
  expect(readTolerantly(z.array(PublicLink), { data: only })).toMatchObject({ ok: true, value: [only] })
  expect(readTolerantly(z.array(PublicLink), { detail: 'No link.' }).ok).toBe(false)
})
