import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { Geometry, LatLng, Layer, Position, Shape } from './city.ts'

/** Increased whenever the file format changes, so that files of an older build are rejected instead of misread. */
export const LAYOUT_VERSION = 1

/** Contents of `city.json`. It is written last, so an interrupted build is not taken for a city. */
export type CitySummary = { layout: number; center: LatLng; houses: number; streets: number; edges: number }

export type Column = Float32Array | Uint32Array | Uint16Array | Uint8Array
type Columns = Record<string, Column>
type Header<Notes> = { notes: Notes; columns: { name: string; type: keyof typeof COLUMN_TYPES; offset: number; length: number }[] }

const COLUMN_TYPES = { f32: Float32Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array }
const columnType = (column: Column) =>
  column instanceof Float32Array ? 'f32' : column instanceof Uint32Array ? 'u32' : column instanceof Uint16Array ? 'u16' : 'u8'
const alignTo8 = (offset: number) => Math.ceil(offset / 8) * 8

/** Writes typed arrays after a JSON header. `notes` is any JSON value that belongs to them. */
export function writePack(file: string, columns: Columns, notes: unknown) {
  let offset = 0
  const placed = Object.entries(columns).map(([name, column]) => {
    const entry = { name, type: columnType(column), offset, length: column.length } as const
    offset = alignTo8(offset + column.byteLength)
    return entry
  })
  const header = Buffer.from(JSON.stringify({ notes, columns: placed } satisfies Header<unknown>))
  const start = alignTo8(4 + header.length)
  const whole = Buffer.alloc(start + offset)
  whole.writeUInt32LE(header.length, 0)
  header.copy(whole, 4)
  for (const { name, offset } of placed) {
    const column = columns[name]!
    Buffer.from(column.buffer, column.byteOffset, column.byteLength).copy(whole, start + offset)
  }
  writeFileSync(file, whole)
}

/** The package contains its files compressed. Throws when there is neither. */
export const readCityFile = (file: string) =>
  existsSync(file) || !existsSync(`${file}.br`) ? readFileSync(file) : brotliDecompressSync(readFileSync(`${file}.br`))

/** Reads a file of `writePack`. The arrays are views into the file's bytes, so nothing is copied. */
export function readPack<C extends Columns, Notes>(file: string): { columns: C; notes: Notes } {
  const bytes = readCityFile(file)
  // Node may read a small file into a shared pool at an unaligned offset, where typed arrays cannot start.
  const buffer = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes)
  const length = bytes.readUInt32LE(0)
  const header: Header<Notes> = JSON.parse(bytes.toString('utf8', 4, 4 + length))
  const start = buffer.byteOffset + alignTo8(4 + length)
  const view = ({ type, offset, length }: Header<Notes>['columns'][number]) => new COLUMN_TYPES[type](buffer.buffer, start + offset, length)
  return { columns: Object.fromEntries(header.columns.map((column) => [column.name, view(column)])) as C, notes: header.notes }
}

/** On disk: kind, name, geometry, and lines in millionths of a degree, each point relative to the one before. */
type StoredShape = [kind: string, name: string | null, geometry: Geometry, lines: number[][]]

const layerFile = (dir: string, layer: Layer) => join(dir, `${layer}.json`)
const SCALE = 1e6

export function writeShapes(dir: string, layer: Layer, shapes: Shape[]) {
  const stored = shapes.map(({ kind, name, geometry, lines }): StoredShape => [kind, name, geometry, lines.map(encodeLine)])
  writeFileSync(layerFile(dir, layer), JSON.stringify(stored))
}

export function readShapes(dir: string, layer: Layer): Shape[] {
  const stored: StoredShape[] = JSON.parse(readCityFile(layerFile(dir, layer)).toString('utf8'))
  return stored.map(([kind, name, geometry, lines]) => ({ kind, name, geometry, lines: lines.map(decodeLine) }))
}

function encodeLine(line: Position[]): number[] {
  let [lastX, lastY] = [0, 0]
  return line.flatMap(([lng, lat]) => {
    const [x, y] = [Math.round(lng * SCALE), Math.round(lat * SCALE)]
    const step = [x - lastX, y - lastY]
    lastX = x
    lastY = y
    return step
  })
}

function decodeLine(steps: number[]): Position[] {
  const line: Position[] = []
  let [x, y] = [0, 0]
  for (let at = 0; at < steps.length; at += 2) {
    x += steps[at]!
    y += steps[at + 1]!
    line.push([x / SCALE, y / SCALE])
  }
  return line
}
