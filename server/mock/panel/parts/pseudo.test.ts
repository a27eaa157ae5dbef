import { expect, test } from 'vitest'
import { pseudo } from './pseudo.ts'

test.each([
  ['Save', '[Šåvé ·]'],
  ['  Trackers ', '  [Tŕåçkéŕš · ·] '],
  ['3 days', '[3 dåýš ·]'],
  ['Größe', '[Gŕößé ·]'],
  ['12:30', '12:30'],
  ['×', '×'],
  ['', ''],
])('%j becomes the pseudo-text %j', (text, said) => expect(pseudo(text)).toBe(said))
