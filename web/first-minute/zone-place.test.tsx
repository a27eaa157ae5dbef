import { expect, test } from 'vitest'
import { zonePlace } from './zone-place.ts'

test.each([
  ['Europe/Zurich', { lat: 47.38, lng: 8.53 }],
  ['America/Argentina/Buenos_Aires', { lat: -34.6, lng: -58.45 }],
  ['Asia/Calcutta', { lat: 22.53, lng: 88.37 }],
  ['Asia/Kolkata', { lat: 22.53, lng: 88.37 }],
])('the time zone %s has the place of its city', (zone, place) => {
  expect(zonePlace(zone)).toEqual(place)
})

test.each(['UTC', 'Etc/GMT+3', 'Mars/Base'])('the time zone %s has no place', (zone) => {
  expect(zonePlace(zone)).toBeNull()
})

test('nearly every time zone of the browser has a place', () => {
  const unplaced = Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/') && zonePlace(zone) === null)
  expect(unplaced).toEqual([])
})
