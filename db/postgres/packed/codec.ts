import { createVarintReader, createVarintWriter } from '#contracts/track/varint.ts'
import { markNumber } from '#db/positions.ts'

/** The columns of a fix, in the order of a tuple. */
export const NAMES = ['time', 'lat', 'lng', 'precision', 'event', 'battery', 'speed', 'course', 'altitude', 'mark'] as const
export type Tuple = (number | null)[]

/** Fixes in a block. */
export const BLOCK_SIZE = 512
/** Columns before this one are never null. */
const FIRST_NULLABLE = NAMES.indexOf('event')
const MARK = NAMES.indexOf('mark')
const KEPT = markNumber('kept')
const VERSION = 1

/** Whether a fix is valid: without a mark, or marked as kept by a user. */
export const isBelieved = (tuple: Tuple) => tuple[MARK] === null || tuple[MARK] === KEPT

const { write, take } = createVarintWriter()

/**
 * Packs fixes, oldest first, into bytes: a version, the number of fixes, then column by column the differences between neighbours as varints;
 * of times the differences between these. A zero is followed by how many more zeros follow, so a column that never changes takes three
 * bytes. In columns that may be null, 0 means null and values are shifted away from 0 by one.
 */
export function packFixes(fixes: readonly Tuple[]): Buffer {
  write(VERSION)
  write(fixes.length)
  for (let column = 0; column < NAMES.length; column++) {
    let [before, step, zeros] = [0, 0, 0]
    for (const fix of fixes) {
      const value = column < FIRST_NULLABLE ? fix[column]! : shift(fix[column]!)
      const difference = value - before - step
      if (column === 0 && fix !== fixes[0]) step = value - before
      before = value
      if (difference === 0) zeros++
      else {
        writeZeros(zeros)
        zeros = 0
        write(difference)
      }
    }
    writeZeros(zeros)
  }
  return Buffer.from(take())
}

function writeZeros(count: number) {
  if (count === 0) return
  write(0)
  write(count - 1)
}

/** Returns the fixes of `packFixes`. Throws a RangeError for bytes that it did not write. */
export function unpackFixes(bytes: Uint8Array): Tuple[] {
  const { read, isAtEnd } = createVarintReader(bytes)
  if (read() !== VERSION) throw new RangeError('The block has an unknown form')
  const count = read()
  const fixes: Tuple[] = Array.from({ length: count }, () => new Array<number | null>(NAMES.length).fill(null))
  for (let column = 0; column < NAMES.length; column++) {
    let [before, step, zeros] = [0, 0, 0]
    for (let index = 0; index < count; index++) {
      let difference = 0
      if (zeros > 0) zeros--
      else {
        difference = read()
        if (difference === 0) zeros = read()
      }
      const value = before + step + difference
      if (column === 0 && index > 0) step = value - before
      before = value
      fixes[index]![column] = column < FIRST_NULLABLE ? value : unshift(value)
    }
    if (zeros > 0) throw new RangeError('A column is longer than its block')
  }
  if (!isAtEnd()) throw new RangeError('Bytes follow the block')
  return fixes
}

const shift = (value: number | null) => (value === null ? 0 : value < 0 ? value : value + 1)
const unshift = (value: number) => (value === 0 ? null : value < 0 ? value : value - 1)
