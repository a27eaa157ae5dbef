import { CSV_MAX_BYTES, CSV_MAX_ROWS } from '#contracts/lib/constants.ts'
import { type PlaceCsvFaults, placeCsvHeader, placeCsvRow } from '#contracts/rules/place-csv.ts'
import { csvRows } from './csv-rows.ts'

export type Problem =
  | { is: 'header'; missing: readonly string[]; unexpected: readonly string[] }
  | { is: 'tooManyRows' | 'tooLarge' | 'notText' | 'empty' | 'noGoodRow' | 'general' }

/** A row to import, or its faults. */
export type PreviewRow = { line: number; texts: readonly string[]; faults: PlaceCsvFaults | null }

type Preview = { rows: readonly PreviewRow[]; bad: number }

/** Validates a file by the server's rules before anything is sent; only addresses are not looked up. */
export async function previewOf(file: Blob): Promise<Preview | { problem: Problem }> {
  if (file.size > CSV_MAX_BYTES) return { problem: { is: 'tooLarge' } }
  const text = decode(await file.arrayBuffer())
  return text === null ? { problem: { is: 'notText' } } : readPreview(text)
}

export function readPreview(text: string): Preview | { problem: Problem } {
  const [first, ...others] = csvRows(text)
  const header = placeCsvHeader(first?.cells ?? [])
  if (!('order' in header)) return { problem: { is: 'header', ...header } }
  if (others.length === 0) return { problem: { is: 'empty' } }
  if (others.length > CSV_MAX_ROWS) return { problem: { is: 'tooManyRows' } }
  const rows = others.map(({ line, cells }): PreviewRow => {
    const read = cells ? placeCsvRow(cells, header.order) : { faults: { row: ['quotes' as const] } }
    return 'row' in read
      ? { line, texts: [read.row.name, read.row.address], faults: null }
      : { line, texts: cells ?? [], faults: read.faults }
  })
  return { rows, bad: rows.filter(({ faults }) => faults).length }
}

function decode(bytes: ArrayBuffer) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
