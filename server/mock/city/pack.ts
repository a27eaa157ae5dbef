import { readFileSync, writeFileSync } from 'node:fs'

export type Column = Float32Array | Uint32Array | Uint16Array | Uint8Array
type Columns = Record<string, Column>
type Header<Notes> = { notes: Notes; columns: { name: string; type: keyof typeof types; offset: number; length: number }[] }

const types = { f32: Float32Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array }
const typeOf = (column: Column) =>
  column instanceof Float32Array ? 'f32' : column instanceof Uint32Array ? 'u32' : column instanceof Uint16Array ? 'u16' : 'u8'
const aligned = (offset: number) => Math.ceil(offset / 8) * 8

/** Writes typed arrays behind a JSON header. `notes` is any JSON value that belongs to them. */
export function writePack(file: string, columns: Columns, notes: unknown) {
  let offset = 0
  const placed = Object.entries(columns).map(([name, column]) => {
    const entry = { name, type: typeOf(column), offset, length: column.length } as const
    offset = aligned(offset + column.byteLength)
    return entry
  })
  const header = Buffer.from(JSON.stringify({ notes, columns: placed } satisfies Header<unknown>))
  const start = aligned(4 + header.length)
  const whole = Buffer.alloc(start + offset)
  whole.writeUInt32LE(header.length, 0)
  header.copy(whole, 4)
  for (const { name, offset } of placed) {
    const column = columns[name]!
    Buffer.from(column.buffer, column.byteOffset, column.byteLength).copy(whole, start + offset)
  }
  writeFileSync(file, whole)
}

/** Reads a file of `writePack`. The arrays are views into the file's bytes, so nothing is copied. */
export function readPack<C extends Columns, Notes>(file: string): { columns: C; notes: Notes } {
  const bytes = readFileSync(file)
  // Node may read a small file into a shared pool at an unaligned offset, where typed arrays cannot start.
  const buffer = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes)
  const length = bytes.readUInt32LE(0)
  const header: Header<Notes> = JSON.parse(bytes.toString('utf8', 4, 4 + length))
  const start = buffer.byteOffset + aligned(4 + length)
  const view = ({ type, offset, length }: Header<Notes>['columns'][number]) => new types[type](buffer.buffer, start + offset, length)
  return { columns: Object.fromEntries(header.columns.map((column) => [column.name, view(column)])) as C, notes: header.notes }
}
