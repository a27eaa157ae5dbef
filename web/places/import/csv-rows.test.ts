import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { csvRows } from './csv-rows.ts'

const rows = (text: string) => [...csvRows(text)].map(({ line, cells }) => [line, cells])

const FILES: [string, unknown][] = [
  [
    'a,b\n1,2\n',
    [
      [1, ['a', 'b']],
      [2, ['1', '2']],
    ],
  ],
  [
    '\uFEFFa;b\r\n"1,5";2',
    [
      [1, ['a', 'b']],
      [2, ['1,5', '2']],
    ],
  ],
  [
    'a,b\n\n  \n"say ""hi""",\n',
    [
      [1, ['a', 'b']],
      [4, ['say "hi"', '']],
    ],
  ],
  [
    'a,b\n"two\nlines",2\n3,4',
    [
      [1, ['a', 'b']],
      [2, ['two\nlines', '2']],
      [4, ['3', '4']],
    ],
  ],
  [
    'a,b\n"open,2\n3,4\n5,6',
    [
      [1, ['a', 'b']],
      [2, null],
      [3, ['3', '4']],
      [4, ['5', '6']],
    ],
  ],
  [
    'a,b\n1"2,3\n4,5',
    [
      [1, ['a', 'b']],
      [2, null],
      [3, ['4', '5']],
    ],
  ],
  [
    'a,b\n"1"2,"3"\n',
    [
      [1, ['a', 'b']],
      [2, null],
    ],
  ],
  ['\n \n', []],
]

test('CSV text is split into rows and cells by the rules of RFC 4180, with null for rows of unbalanced quotes', async () => {
  const failures = await collectFailures(
    FILES,
    ([text]) => JSON.stringify(text),
    ([text, read]) => expect(rows(text)).toEqual(read),
  )
  expect(failures).toEqual([])
})
