import { describe, expect, test } from 'vitest'
import { buildUrl } from './client.ts'

describe('request URLs', () => {
  test.each([
    ['https://api.test', 'https://api.test/devices/7/'],
    ['https://api.test/', 'https://api.test/devices/7/'],
    ['https://api.test/v2//', 'https://api.test/v2/devices/7/'],
    ['', '/devices/7/'],
  ])('R-7.23 a URL with the base %j has no double slash', (base, expected) => {
    expect(buildUrl(base, '/devices/:id/', { params: { id: 7 } })).toBe(expected)
  })

  test('path parameters are escaped and undefined query parameters omitted', () => {
    expect(buildUrl('', '/x/:id/', { params: { id: 'a/b' }, query: { type: 'tracker', page: undefined } })).toBe('/x/a%2Fb/?type=tracker')
  })
})
