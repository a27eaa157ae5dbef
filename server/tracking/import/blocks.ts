import { setImmediate } from 'node:timers/promises'
import type { NewPosition } from '#db/positions.ts'
import { FIELDS, type FixColumns, readValue } from './fixes.ts'

/** Columns of positions as differences to the row before; a column without any value is left out. */
export type Block = Record<string, (number | null)[] | undefined>

export const ROWS_PER_BLOCK = 1000

/** Packs positions in the order of `rows`, block by block: all blocks of a large file together would take several times its size. */
export async function* packBlocks(columns: FixColumns, rows: Uint32Array): AsyncGenerator<Block> {
  for (let first = 0; first < rows.length; first += ROWS_PER_BLOCK) {
    const part = [...rows.subarray(first, first + ROWS_PER_BLOCK)]
    yield Object.fromEntries(
      FIELDS.map((field) => part.map((row) => readValue(columns, field, row)))
        .map((values, index) => [FIELDS[index]!, values] as const)
        .filter(([, values]) => values.some((value) => value !== null))
        .map(([field, values]) => [field, packColumn(values)]),
    )
    await setImmediate()
  }
}

export function packColumn(values: readonly (number | null)[]) {
  let before = 0
  return values.map((value) => {
    if (value === null) return null
    const difference = value - before
    before = value
    return difference
  })
}

export function unpackColumn(packed: readonly (number | null)[] = []) {
  let value = 0
  return packed.map((difference) => {
    if (difference === null) return null
    value += difference
    return value
  })
}

export function unpackBlock(block: Block): NewPosition[] {
  const columns = FIELDS.map((field) => unpackColumn(block[field]))
  return columns[0]!.map((_, row) => Object.fromEntries(FIELDS.map((field, index) => [field, columns[index]![row] ?? null])) as NewPosition)
}
