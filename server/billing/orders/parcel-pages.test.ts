import { expect, test } from 'vitest'
import { CARRIERS } from '#contracts/operator/orders.ts'
import { findParcelPage } from './parcel-pages.ts'

test.each([
  ['DHL', '00340434161094', 'https://www.dhl.com/en/home/tracking.html?tracking-id=00340434161094'],
  [' dhl ', '1', 'https://www.dhl.com/en/home/tracking.html?tracking-id=1'],
  ['Packeta', 'Z 1/2', 'https://tracking.packeta.com/en/?id=Z%201%2F2'],
  ['A bicycle', '1', null],
  ['DHL', null, null],
  [null, '1', null],
])('the parcel of the carrier %j with the number %j is found at %j', (carrier, tracking, page) => {
  expect(findParcelPage(carrier, tracking)).toBe(page)
})

test('each carrier has a page with https', () => {
  expect(CARRIERS.length).toBeGreaterThan(20)
  for (const name of CARRIERS) expect(findParcelPage(name, '42')).toMatch(/^https:\/\/.+42/)
})
