import { describe, expect, test } from 'vitest'
import { addressOf } from './client.ts'

describe('the address of a call', () => {
  test.each([
    ['https://api.test', 'https://api.test/devices/7/'],
    ['https://api.test/', 'https://api.test/devices/7/'],
    ['https://api.test/v2//', 'https://api.test/v2/devices/7/'],
    ['', '/devices/7/'],
  ])('R-7.23: base %j gives no double slash', (base, expected) => {
    expect(addressOf(base, '/devices/:id/', { params: { id: 7 } })).toBe(expected)
  })

  test('parameters are escaped, absent ones left out', () => {
    expect(addressOf('', '/x/:id/', { params: { id: 'a/b' }, query: { type: 'tracker', page: undefined } })).toBe('/x/a%2Fb/?type=tracker')
  })
})
