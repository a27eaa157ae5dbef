import { createInstance } from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import type { Deed } from '#contracts/operator/deeds.ts'
import words from '#locales/en/operator.json' with { type: 'json' }
import { deedWords, kindWords } from './deed-words.ts'

// Not the instance of the portal, which changes the document.
const i18n = createInstance()

beforeAll(() => i18n.init({ lng: 'en', resources: { en: { translation: words } }, interpolation: { escapeValue: false } }))

const deed = (parts: Partial<Deed>): Deed => ({
  id: 1,
  at: '2026-03-02T09:00:00Z',
  kind: 'key_ended',
  who: 'Nora',
  subject: 'Shop',
  detail: {},
  ...parts,
})
const say = (parts: Partial<Deed>) => deedWords(i18n.t, i18n, deed(parts))

test('a deed is a sentence with the names of its roles', () => {
  expect(say({ kind: 'staff_changed', detail: { from: 'support', to: 'admin' } })).toBe(
    'Changed the role of Shop from Support to Administrator',
  )
  expect(say({ kind: 'staff_changed', detail: { from: null, to: 'of another server' } })).toBe(
    'Changed the role of Shop from – to of another server',
  )
})

test('a detail without a value is a dash', () => {
  const order = { kind: 'order_picked', subject: 'ORD-1002' } as const
  expect(say({ ...order, detail: { items: '' } })).toBe('Took the order ORD-1002 from the stock: –')
  expect(say({ kind: 'stock_imported', detail: { added: 0, changed: 2, refused: 0 } })).toContain('new: 0, changed: 2')
})

test('a deed of a kind without words shows the name of the kind', () => {
  expect(say({ kind: 'moon_painted' })).toBe('moon_painted: Shop')
  expect(kindWords(i18n.t, i18n, 'moon_painted')).toBe('moon_painted')
})
