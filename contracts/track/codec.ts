import type { Work } from '#contracts/rules/work.ts'
import { createPositionColumns, createTextIndex, joinPositions, type PositionColumns } from './columns.ts'
import { createVarintReader, createVarintWriter } from './varint.ts'

/**
 * The compact form of a history: a version, then blocks of positions, each column by column, then an empty block as the end mark. Numbers
 * are varints (`varint.ts`). A block is its number of positions; the number of texts that no block before had, each with its length in bytes
 * of UTF-8; the differences between neighbours of seconds, degrees times 1e7 and metres; then runs (value, length) of what rarely changes:
 * id minus second, event, address and battery. Events and addresses are numbers of texts, 0 for null; a battery of null is 0, and other
 * levels are moved away from 0 by one.
 */
const VERSION = 1

/** A position to encode: `time` in seconds since 1970, degrees times 1e7, precision in metres; all numbers are integers. */
export type EncodablePosition = {
  id: number
  time: number
  lat: number
  lng: number
  precision: number
  event: string | null
  address: string | null
  battery: number | null
}

/** Encodes a history block by block, so that a long one can be sent while it is read. `end` must follow the last block. */
export function createTrackEncoder() {
  const { write, writeBytes, take } = createVarintWriter()
  const { texts, indexOf } = createTextIndex()
  let known = 1
  const writeDifferences = (positions: readonly EncodablePosition[], field: 'time' | 'lat' | 'lng' | 'precision') => {
    let before = 0
    for (const position of positions) {
      write(position[field] - before)
      before = position[field]
    }
  }
  const writeRuns = (values: readonly number[]) => {
    for (let start = 0, end = 0; start < values.length; start = end) {
      const value = values[start] ?? 0
      while (end < values.length && values[end] === value) end++
      write(value)
      write(end - start)
    }
  }
  const writeNewTexts = () => {
    write(texts.length - known)
    for (; known < texts.length; known++) {
      const bytes = UTF8.encode(texts[known] ?? '')
      write(bytes.length)
      writeBytes(bytes)
    }
  }
  write(VERSION)
  return {
    encode(positions: readonly EncodablePosition[]): Uint8Array<ArrayBuffer> {
      if (positions.length === 0) return take()
      const events = positions.map(({ event }) => indexOf(event))
      const addresses = positions.map(({ address }) => indexOf(address))
      write(positions.length)
      writeNewTexts()
      for (const field of ['time', 'lat', 'lng', 'precision'] as const) writeDifferences(positions, field)
      writeRuns(positions.map(({ id, time }) => id - time))
      writeRuns(events)
      writeRuns(addresses)
      writeRuns(positions.map(({ battery }) => encodeBattery(battery)))
      return take()
    },
    end(): Uint8Array<ArrayBuffer> {
      write(0)
      return take()
    },
  }
}

const UTF8 = new TextEncoder()

/** Decodes a whole response; stops after each block, so that the caller can pause. Throws a RangeError for anything else. */
export function* decodeTrack(bytes: Uint8Array): Work<PositionColumns> {
  const { read, readBytes, isAtEnd } = createVarintReader(bytes)
  if (read() !== VERSION) throw new RangeError('The bytes are no history')
  const texts: (string | null)[] = [null]
  const text = new TextDecoder('utf-8', { ignoreBOM: true })
  const blocks: PositionColumns[] = []
  for (let length = read(); length !== 0; length = read()) {
    // Each position takes at least four bytes.
    if (length < 0 || length > bytes.length) throw new RangeError('A block is longer than the response')
    for (let count = read(); count > 0; count--) texts.push(text.decode(readBytes(read())))
    const block = createPositionColumns(length, texts)
    readDifferences(read, block.datetime)
    readDifferences(read, block.lat)
    readDifferences(read, block.lng)
    readDifferences(read, block.precision)
    for (const column of [block.id, block.event, block.address, block.battery]) readRuns(read, column)
    restoreUnits(block)
    blocks.push(block)
    yield
  }
  if (!isAtEnd()) throw new RangeError('Bytes follow the end')
  return joinPositions(blocks)
}

function readDifferences(read: () => number, column: Float64Array) {
  let value = 0
  for (let index = 0; index < column.length; index++) {
    value += read()
    column[index] = value
  }
}

function readRuns(read: () => number, column: Float64Array | Int32Array) {
  for (let start = 0; start < column.length; ) {
    const [value, length] = [read(), read()]
    if (length < 1 || start + length > column.length) throw new RangeError('A run is longer than its block')
    column.fill(value, start, start + length)
    start += length
  }
}

function restoreUnits({ length, id, datetime, lat, lng, battery }: PositionColumns) {
  for (let index = 0; index < length; index++) {
    const second = datetime[index] ?? 0
    id[index] = (id[index] ?? 0) + second
    datetime[index] = second * 1000
    lat[index] = (lat[index] ?? 0) / 1e7
    lng[index] = (lng[index] ?? 0) / 1e7
    battery[index] = decodeBattery(battery[index] ?? 0)
  }
}

const encodeBattery = (level: number | null) => (level === null ? 0 : level < 0 ? level : level + 1)
const decodeBattery = (value: number) => (value === 0 ? Number.NaN : value < 0 ? value : value - 1)
