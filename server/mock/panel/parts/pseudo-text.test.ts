import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { toPseudoText } from './pseudo-text.ts'

test('texts are accented, lengthened and bracketed; texts without words are unchanged', async () => {
  const rows = [
    ['Save', '[Šåvé ·]'],
    ['  Trackers ', '  [Tŕåçkéŕš · ·] '],
    ['3 days', '[3 dåýš ·]'],
    ['Größe', '[Gŕößé ·]'],
    ['12:30', '12:30'],
    ['×', '×'],
    ['', ''],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([text]) => JSON.stringify(text),
      ([text, said]) => expect(toPseudoText(text)).toBe(said),
    ),
  ).toEqual([])
})
