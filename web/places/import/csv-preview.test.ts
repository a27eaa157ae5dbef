import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { readPreview } from './csv-preview.ts'

const HEADER = 'name,address,type\n'

describe('R-3.33 preview of a file before it is sent', () => {
  test('the preview lists rows and what is wrong with each', () => {
    expect(readPreview(`Type;NAME;address\nstore;Kiosk;Ellauri 350\ncastle;;Ellauri 350\nhome;x`)).toEqual({
      rows: [
        { line: 2, texts: ['Kiosk', 'Ellauri 350'], faults: null },
        { line: 3, texts: ['castle', '', 'Ellauri 350'], faults: { name: ['required'], type: ['unknown_type'] } },
        { line: 4, texts: ['home', 'x'], faults: { row: ['cells'] } },
      ],
      bad: 2,
    })
    expect(readPreview(`${HEADER}"Vet,x,home`)).toMatchObject({ rows: [{ line: 2, texts: [], faults: { row: ['quotes'] } }], bad: 1 })
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
      ([text, problem]) => expect(readPreview(text)).toEqual({ problem }),
    )
    expect(failures).toEqual([])
  })
})
