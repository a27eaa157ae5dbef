import type { Work } from '#contracts/rules/work.ts'
import { createPositionColumns, createTextIndex, joinPositions, type PositionColumns } from './columns.ts'
import { createVarintReader, createVarintWriter } from './varint.ts'

/**
 * The compact form of a history: a version, then blocks of positions, each column by column, then an empty block as the end mark. Numbers
 * are varints (`varint.ts`). A block is its number of positions; the number of texts that no block before had, and these; the differences
 * between neighbours of seconds, degrees times 1e7 and metres; then runs of what rarely changes: id minus second, event, address, battery
 * and mark; then speed (tenths of km/h), course (degrees) and altitude (metres), each 0 where the block has none, else 1 and the
 * differences. A run is a value (of an id) or its difference to that of the run before (of the others), and a length. Events, addresses and
 * marks are text numbers, 0 for null; for a battery or a measurement 0 means null, and values are shifted away from 0 by one. A text is
 * UTF-8: how many bytes it shares with the start and the end of the text before, as neighbouring houses do, and the length and the bytes
 * between.
 */
const VERSION = 2

/** A position to encode: `time` in seconds since 1970, degrees times 1e7, precision in metres, speed in tenths of km/h; all numbers are integers. */
export type EncodablePosition = {
  id: number
  time: number
  lat: number
  lng: number
  precision: number
  event: string | null
  address: string | null
  battery: number | null
  speed: number | null
  course: number | null
  altitude: number | null
  mark: string | null
}

/** Encodes a history block by block, so that a long one can be sent while it is read. `end` must follow the last block. */
export function createTrackEncoder() {
  const { write, writeBytes, take } = createVarintWriter()
  const { texts, indexOf } = createTextIndex()
  let known = 1
  let lastText = NO_TEXT
  const writeDifferences = (positions: readonly EncodablePosition[], field: 'time' | 'lat' | 'lng' | 'precision') => {
    let before = 0
    for (const position of positions) {
      write(position[field] - before)
      before = position[field]
    }
  }
  const writeMeasured = (positions: readonly EncodablePosition[], field: (typeof MEASURED)[number]) => {
    const isMeasured = positions.some((position) => position[field] !== null)
    write(Number(isMeasured))
    let before = 0
    for (const position of isMeasured ? positions : []) {
      const value = encodeOptional(position[field])
      write(value - before)
      before = value
    }
  }
  const writeRuns = (values: readonly number[], isRelative: boolean) => {
    let before = 0
    for (let start = 0, end = 0; start < values.length; start = end) {
      const value = values[start] ?? 0
      while (end < values.length && values[end] === value) end++
      write(value - before)
      write(end - start)
      before = isRelative ? value : 0
    }
  }
  const writeNewTexts = () => {
    write(texts.length - known)
    for (; known < texts.length; known++) {
      const bytes = UTF8.encode(texts[known] ?? '')
      const { start, end } = countShared(lastText, bytes)
      write(start)
      write(end)
      write(bytes.length - start - end)
      writeBytes(bytes.subarray(start, bytes.length - end))
      lastText = bytes
    }
  }
  write(VERSION)
  return {
    encode(positions: readonly EncodablePosition[]): Uint8Array<ArrayBuffer> {
      if (positions.length === 0) return take()
      const events = positions.map(({ event }) => indexOf(event))
      const addresses = positions.map(({ address }) => indexOf(address))
      const marks = positions.map(({ mark }) => indexOf(mark))
      write(positions.length)
      writeNewTexts()
      for (const field of ['time', 'lat', 'lng', 'precision'] as const) writeDifferences(positions, field)
      writeRuns(
        positions.map(({ id, time }) => id - time),
        false,
      )
      writeRuns(events, true)
      writeRuns(addresses, true)
      writeRuns(
        positions.map(({ battery }) => encodeOptional(battery)),
        true,
      )
      writeRuns(marks, true)
      for (const field of MEASURED) writeMeasured(positions, field)
      return take()
    },
    end(): Uint8Array<ArrayBuffer> {
      write(0)
      return take()
    },
  }
}

const MEASURED = ['speed', 'course', 'altitude'] as const
const UTF8 = new TextEncoder()
const NO_TEXT: Uint8Array = new Uint8Array()

/** The number of bytes that two texts share at their starts and, of the rest, at their ends. */
function countShared(before: Uint8Array, text: Uint8Array) {
  const most = Math.min(before.length, text.length)
  let [start, end] = [0, 0]
  while (start < most && before[start] === text[start]) start++
  while (end < most - start && before[before.length - 1 - end] === text[text.length - 1 - end]) end++
  return { start, end }
}

/** Decodes a whole response; stops after each block, so that the caller can pause. Throws a RangeError for anything else. */
export function* decodeTrack(bytes: Uint8Array): Work<PositionColumns> {
  const { read, readBytes, isAtEnd } = createVarintReader(bytes)
  if (read() !== VERSION) throw new RangeError('The bytes are no history')
  const texts: (string | null)[] = [null]
  const text = new TextDecoder('utf-8', { ignoreBOM: true })
  let lastText = NO_TEXT
  const blocks: PositionColumns[] = []
  for (let length = read(); length !== 0; length = read()) {
    // Each position takes at least four bytes.
    if (length < 0 || length > bytes.length) throw new RangeError('A block is longer than the response')
    for (let count = read(); count > 0; count--) {
      lastText = readText(lastText, read, readBytes)
      texts.push(text.decode(lastText))
    }
    const block = createPositionColumns(length, texts)
    readDifferences(read, block.datetime)
    readDifferences(read, block.lat)
    readDifferences(read, block.lng)
    readDifferences(read, block.precision)
    readRuns(read, block.id, false)
    for (const column of [block.event, block.address, block.battery, block.mark]) readRuns(read, column, true)
    for (const field of MEASURED) if (read() === 1) readDifferences(read, block[field])
    restoreUnits(block)
    blocks.push(block)
    yield
  }
  if (!isAtEnd()) throw new RangeError('Bytes follow the end')
  return joinPositions(blocks)
}

function readText(before: Uint8Array, read: () => number, readBytes: (count: number) => Uint8Array) {
  const [start, end] = [read(), read()]
  const between = readBytes(read())
  if (start < 0 || end < 0 || start + end > before.length) throw new RangeError('A text shares more than there is')
  const bytes = new Uint8Array(start + between.length + end)
  // Texts are short: a loop takes less time than a view of each part.
  for (let index = 0; index < start; index++) bytes[index] = before[index] ?? 0
  bytes.set(between, start)
  for (let index = 1; index <= end; index++) bytes[bytes.length - index] = before[before.length - index] ?? 0
  return bytes
}

function readDifferences(read: () => number, column: Float64Array) {
  let value = 0
  for (let index = 0; index < column.length; index++) {
    value += read()
    column[index] = value
  }
}

function readRuns(read: () => number, column: Float64Array | Int32Array, isRelative: boolean) {
  let value = 0
  for (let start = 0; start < column.length; ) {
    value = read() + (isRelative ? value : 0)
    const length = read()
    if (length < 1 || start + length > column.length) throw new RangeError('A run is longer than its block')
    column.fill(value, start, start + length)
    start += length
  }
}

function restoreUnits({ length, id, datetime, lat, lng, battery, speed, course, altitude }: PositionColumns) {
  for (let index = 0; index < length; index++) {
    const second = datetime[index] ?? 0
    id[index] = (id[index] ?? 0) + second
    datetime[index] = second * 1000
    lat[index] = (lat[index] ?? 0) / 1e7
    lng[index] = (lng[index] ?? 0) / 1e7
    battery[index] = decodeOptional(battery[index])
    speed[index] = decodeOptional(speed[index]) / 10
    course[index] = decodeOptional(course[index])
    altitude[index] = decodeOptional(altitude[index])
  }
}

const encodeOptional = (value: number | null) => (value === null ? 0 : value < 0 ? value : value + 1)
const decodeOptional = (value = 0) => (value === 0 ? Number.NaN : value < 0 ? value : value - 1)
