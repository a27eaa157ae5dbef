import { expect, test } from 'vitest'
import { isTimeZone } from './time-zone.ts'

test.each([
  ['America/Montevideo', true],
  ['Asia/Tokyo', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Etc/GMT+3', true],
  ['UTC', true],
  ['Europe/Atlantis', false],
  ['+03:00', false],
  ['-0300', false],
  ['', false],
  [' UTC', false],
  ['UTC\u0000', false],
  ['America/'.repeat(100), false],
])('%j names a zone: %s', (name, isOne) => expect(isTimeZone(name)).toBe(isOne))
