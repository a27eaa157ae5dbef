import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

const compress = promisify(deflateRaw)

/** A file's entry in a zip file: compressed, with CRC-32 and size of the uncompressed content. */
export type PackedFile = { name: string; at: Date; crc: number; size: number; packed: Uint8Array }

export async function packFile(name: string, at: Date, content: Uint8Array): Promise<PackedFile> {
  return { name, at, crc: crc32(content), size: content.length, packed: await compress(content) }
}

const VERSION = 20
const UTF8_NAMES = 0x0800
const DEFLATED = 8

/** Writes a zip file of up to 65,535 files and 4 GiB, one file after the other. */
export async function* writeZip(files: AsyncIterable<PackedFile>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const file of files) {
    const common = describe(file)
    const local = Buffer.concat([signature('PK\x03\x04'), common, Buffer.from(file.name)])
    directory.push(
      Buffer.concat([signature('PK\x01\x02'), words(VERSION), common, words(0, 0, 0, 0, 0), int(offset), Buffer.from(file.name)]),
    )
    offset += local.length + file.packed.length
    yield local
    yield file.packed
  }
  const size = directory.reduce((sum, entry) => sum + entry.length, 0)
  yield* directory
  yield Buffer.concat([signature('PK\x05\x06'), words(0, 0, directory.length, directory.length), int(size), int(offset), words(0)])
}

/** The fields common to the header before a file and its entry in the directory. */
function describe({ name, at, crc, size, packed }: PackedFile) {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const head = words(VERSION, UTF8_NAMES, DEFLATED, time, day)
  return Buffer.concat([head, int(crc), int(packed.length), int(size), words(Buffer.byteLength(name), 0)])
}

const signature = (text: string) => Buffer.from(text, 'latin1')

const words = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}

const int = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
