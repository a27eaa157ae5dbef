import { expect, test } from 'vitest'
import { mapsLink } from './maps-link.ts'

const AT = { lat: -34.9, lng: -56.1645123 }
const on = (userAgent: string, maxTouchPoints = 5) => mapsLink(AT, 'Rex & Co', { userAgent, maxTouchPoints })

test('an Android phone opens its own maps app at the named point', () => {
  expect(on('Mozilla/5.0 (Linux; Android 15)')).toBe('geo:-34.900000,-56.164512?q=-34.900000,-56.164512(Rex%20%26%20Co)')
})

test.each(['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'])(
  "a touch device of Apple opens Apple's maps: %s",
  (agent) => {
    expect(on(agent)).toBe('https://maps.apple.com/?daddr=-34.900000,-56.164512')
  },
)

test('any other browser, such as that of a Mac, opens the maps of Google', () => {
  expect(on('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0)).toContain('https://www.google.com/maps/dir/?api=1&destination=-34.9')
})
