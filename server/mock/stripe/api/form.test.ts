import { expect, test } from 'vitest'
import { parseForm } from './form.ts'

test('brackets with names become objects and brackets with numbers become lists', () => {
  expect(parseForm('mode=payment&line_items[0][quantity]=1&line_items[0][price_data][currency]=eur&line_items[1][quantity]=2')).toEqual({
    mode: 'payment',
    line_items: [{ quantity: '1', price_data: { currency: 'eur' } }, { quantity: '2' }],
  })
})

test('empty brackets append to a list', () => {
  expect(parseForm('expand[]=line_items&expand[]=customer')).toEqual({ expand: ['line_items', 'customer'] })
})

test('names and values are decoded and an empty value is preserved', () => {
  expect(parseForm('metadata%5Bname%5D=Caf%C3%A9+1%262&note=')).toEqual({ metadata: { name: 'Café 1&2' }, note: '' })
})

test('__proto__ and constructor are ordinary field names', () => {
  const form = parseForm('__proto__[polluted]=1&constructor[prototype][polluted]=1')
  expect(({} as { polluted?: string }).polluted).toBeUndefined()
  expect(Object.keys(form)).toContain('constructor')
})

test('an empty text has no fields', () => {
  expect(parseForm('')).toEqual({})
})
