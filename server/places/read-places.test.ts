import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { type CsvRecord, parseCsvRecords } from './read-places.ts'

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(text: string | Uint8Array, size = 7): Promise<CsvRecord[]> {
  const records: CsvRecord[] = []
  for await (const record of parseCsvRecords(inPieces(Buffer.from(text), size))) records.push(record)
  return records
}
const BUSY_MACHINE_TIMEOUT_MS = 60_000

const summarize = async (text: string) => (await read(text)).map(({ line, cells }) => `${line} ${cells ? cells.join('|') : 'broken'}`)

describe('csvRecords', () => {
  test('CSV files of all dialects are parsed', async () => {
    const rows = [
      ['commas', 'a,b\n1,2\n', ['1 a|b', '2 1|2']],
      ['semicolons', 'a;b\n1;2,5\n', ['1 a|b', '2 1|2,5']],
      ['tabs', 'a\tb\n1\t2,5\n', ['1 a|b', '2 1|2,5']],
      ['a line that names the separator', 'sep=;\r\na,x;b\r\n1;2,5\r\n', ['2 a,x|b', '3 1|2,5']],
      ['no end of the last line', 'a,b\n1,2', ['1 a|b', '2 1|2']],
      ['CRLF, LF and a mix of both', 'a,b\r\n1,2\n3,4\r\n', ['1 a|b', '2 1|2', '3 3|4']],
      ['a byte order mark', '\ufeffa,b\n', ['1 a|b']],
      ['quoted separators and quotes', 'a,b\n"1,5","say ""hi"""\n', ['1 a|b', '2 1,5|say "hi"']],
      ['quoted line breaks, counted', 'a,b\n"1\r\n2\n",3\n4,5\n', ['1 a|b', '2 1\r\n2\n|3', '5 4|5']],
      ['blank lines, counted', '\n  \na,b\n\r\n\t\n1,2\n\n', ['3 a|b', '6 1|2']],
      ['empty cells', 'a,b\n,\n"",\n', ['1 a|b', '2 |', '3 |']],
      ['rows of other lengths', 'a,b\n1\n1,2,3\n', ['1 a|b', '2 1', '3 1|2|3']],
      ['blanks around cells', 'a,b\n 1 ,2 \n', ['1 a|b', '2  1 |2 ']],
      ['nothing', '', []],
      ['only blank lines', '\n\r\n', []],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, text, rows]) => {
          expect(await summarize(text)).toEqual(rows)
        },
      ),
    ).toEqual([])
  })

  test('broken quotes make only their own line invalid', async () => {
    const rows = [
      ['a quote that is never closed', 'a,b\n"1,2\n3,4\n5,6', ['1 a|b', '2 broken', '3 3|4', '4 5|6']],
      ['a quote that another row closes', 'a,b\n"1,2\n"3",4\n5,6\n', ['1 a|b', '2 broken', '3 3|4', '4 5|6']],
      ['a quote within a cell', 'a,b\n5" pipe,2\n3,4\n', ['1 a|b', '2 broken', '3 3|4']],
      ['text after a quote', 'a,b\n"1"x,2\n3,4\n', ['1 a|b', '2 broken', '3 3|4']],
      ['a blank before a quote', 'a,b\n1, "2"\n3,4\n', ['1 a|b', '2 broken', '3 3|4']],
      ['several of them', 'a,b\n"1,2\n"3,4\n"5",6\nx"y,8\n9,0', ['1 a|b', '2 broken', '3 broken', '4 5|6', '5 broken', '6 9|0']],
      ['one on the last line', 'a,b\n1,2\n"', ['1 a|b', '2 1|2', '3 broken']],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, text, rows]) => {
          expect(await summarize(text)).toEqual(rows)
        },
      ),
    ).toEqual([])
  })

  test('a character split between two chunks is decoded', async () => {
    for (const size of [1, 2, 3, 100]) expect(await read('näme,犬🐕\n', size)).toEqual([{ line: 1, cells: ['näme', '犬🐕'] }])
  })

  test('text in UTF-16 and Windows-1252 is decoded, and a file that is not text is refused', async () => {
    const text = 'näme,töp\n1,“2”\n'
    const utf16 = Buffer.from(text, 'utf16le')
    const rows = [
      ['UTF-16', utf16],
      ['UTF-16 with a mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
      ['UTF-16 of the other order', Buffer.from(utf16).swap16()],
      ['UTF-16 of the other order with a mark', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
      ['Windows-1252', Buffer.from(text.replace('“', '\x93').replace('”', '\x94'), 'latin1')],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, bytes]) => {
          expect((await read(bytes)).map(({ cells }) => cells)).toEqual([
            ['näme', 'töp'],
            ['1', '“2”'],
          ])
        },
      ),
    ).toEqual([])
    for (const head of ['504b030414000600', 'd0cf11e0a1b11ae10000', '89504e470d0a1a0a0000000d'])
      await expect(read(Buffer.from(head, 'hex'))).rejects.toMatchObject({
        code: 'validation_error',
        extras: { errors: { file: ['Not text'] } },
      })
  })

  test(
    'many broken rows are parsed in linear time',
    async () => {
      const lines = ['"a', '"",""",x', 'a"b', '""'].map((line) => `${line}\n`.repeat(400))
      const records = await read(`a,b\n${lines.join('')}`, 65_536)
      expect(records.at(-1)).toEqual({ line: 1601, cells: [''] })
    },
    BUSY_MACHINE_TIMEOUT_MS,
  )

  test(
    'every table is parsed back cell by cell for any delimiter, line end, quoting and chunk size',
    async () => {
      const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[",; \r\n\ta]{0,9}$/))
      // Cells with nothing but blanks between tabs form a blank line, which counts as no row.
      const row = fc.array(cell, { minLength: 2, maxLength: 4 }).filter((cells) => cells.join('').trim() !== '')
      const table = fc.array(row, { maxLength: 6 })
      const manner = fc.record({
        delimiter: fc.constantFrom(',', ';', '\t'),
        record_delimiter: fc.constantFrom('\n', '\r\n'),
        bom: fc.boolean(),
        quoted: fc.boolean(),
      })
      const written = fc.asyncProperty(table, manner, fc.integer({ min: 1, max: 99 }), async (rows, options, size) => {
        const text = stringify([['name', 'address', 'type'], ...rows], { ...options, quoted_match: /[\r\n]/ })
        const records = await read(text, size)
        expect(records.slice(1).map(({ cells }) => cells)).toEqual(rows)
        const breaks = (cells: string[]) => cells.join('').split('\n').length
        const lines = rows.map((_, at) => 2 + rows.slice(0, at).reduce((sum, cells) => sum + breaks(cells), 0))
        expect(records.slice(1).map(({ line }) => line)).toEqual(lines)
      })
      await fc.assert(written, { numRuns: 5000 })
    },
    BUSY_MACHINE_TIMEOUT_MS,
  )

  test(
    'an unclosed quote is resolved with a single scan of the following lines',
    async () => {
      const records = parseCsvRecords(inPieces(Buffer.from(`a,b\n"1,2\n${'3,4\n'.repeat(250_000)}`), 65_536))
      const lines: number[] = []
      for await (const { line, cells } of records) {
        lines.push(line)
        if (line > 2) expect(cells).toEqual(['3', '4'])
        if (line === 100) break
      }
      expect(lines).toHaveLength(100)
    },
    BUSY_MACHINE_TIMEOUT_MS,
  )

  test(
    'any bytes are parsed or refused as not text',
    async () => {
      const anything = fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const failure = await read(bytes).catch((error: unknown) => error)
        if (!Array.isArray(failure)) expect(failure).toMatchObject({ code: 'validation_error' })
      })
      await fc.assert(anything, { numRuns: 300 })
    },
    BUSY_MACHINE_TIMEOUT_MS,
  )

  test(
    'any text is parsed into rows with increasing line numbers',
    async () => {
      const text = fc.stringMatching(/^[ab",;\n\r ]{0,80}$/)
      await fc.assert(
        fc.asyncProperty(text, async (any) => {
          const lines = (await read(any)).map(({ line }) => line)
          expect(lines).toEqual([...new Set(lines)].sort((a, b) => a - b))
          expect(lines.at(-1) ?? 0).toBeLessThanOrEqual(any.split('\n').length)
        }),
        { numRuns: 300 },
      )
    },
    BUSY_MACHINE_TIMEOUT_MS,
  )
})
