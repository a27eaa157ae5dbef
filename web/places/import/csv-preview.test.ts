import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { blankRows, parseCsv, previewFile, previewText } from './csv-preview.ts'

const HEADER = 'name,address,type\n'

describe('R-3.33 preview of a file before it is sent', () => {
  test('the preview lists rows and the problems of each', () => {
    const text = 'Type;NAME;address\nstore;Kiosk;Ellauri 350\ncastle;;Ellauri 350\nhome;x'
    expect(previewText(text)).toEqual({
      text,
      header: 'Type;NAME;address',
      rows: [
        { line: 2, raw: 'store;Kiosk;Ellauri 350', texts: ['Kiosk', 'Ellauri 350'], faults: null },
        {
          line: 3,
          raw: 'castle;;Ellauri 350',
          texts: ['castle', '', 'Ellauri 350'],
          faults: { name: ['required'], type: ['unknown_type'] },
        },
        { line: 4, raw: 'home;x', texts: ['home', 'x'], faults: { row: ['cells'] } },
      ],
      bad: 2,
    })
    expect(previewText(`${HEADER}"Vet,x,home`)).toMatchObject({
      rows: [{ line: 2, texts: ['"Vet,x,home'], faults: { row: ['quotes'] } }],
      bad: 1,
    })
  })

  test('the preview reads a file as the server does: blank columns, tabs, a separator line and other encodings', async () => {
    const text = 'name;address;type;;\r\nCafé;Ellauri 350;other;;\r\n'
    const files: [string, BlobPart][] = [
      ['blank columns', text],
      ['tabs', text.replaceAll(';', '\t')],
      ['separator line', `sep=;\r\n${text}`],
      ['UTF-16', Uint8Array.from(Buffer.from(`\ufeff${text}`, 'utf16le'))],
      ['Windows-1252', Uint8Array.from(Buffer.from(text, 'latin1'))],
    ]
    const failures = await collectFailures(
      files,
      ([name]) => name,
      async ([, file]) => expect(await previewFile(new Blob([file]))).toMatchObject({ bad: 0, rows: [{ texts: ['Café', 'Ellauri 350'] }] }),
    )
    expect(failures).toEqual([])
    expect(await previewFile(new Blob([Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0)]))).toEqual({ problem: { is: 'notText' } })
  })

  test('a file that cannot be imported is rejected with its problem', async () => {
    const rows: [string, object][] = [
      ['', { is: 'header', missing: ['name', 'address', 'type'], unexpected: [] }],
      ['name,adress,type\nVet,x,home', { is: 'header', missing: ['address'], unexpected: ['adress'] }],
      [HEADER, { is: 'empty' }],
      [HEADER + 'Vet,x,home\n'.repeat(1001), { is: 'tooManyRows' }],
    ]
    const failures = await collectFailures(
      rows,
      ([text]) => JSON.stringify(text.slice(0, 40)),
      ([text, problem]) => expect(previewText(text)).toEqual({ problem }),
    )
    expect(failures).toEqual([])
  })
})

const rows = (text: string) => [...parseCsv(text)].map(({ line, cells }) => [line, cells])

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

test('rows that are left out become blank lines, also when a cell has a line break', () => {
  const text = '\ufeffname,address,type\r\n"Two\nlines",Ellauri 350,home\nVet,18 de Julio 1360,other\n'
  const preview = previewText(text)
  if ('problem' in preview) throw new Error('refused')
  expect(blankRows(text, preview.rows.slice(0, 1))).toBe('name,address,type\n\n\nVet,18 de Julio 1360,other\n')
})
