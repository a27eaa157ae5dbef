import { setImmediate } from 'node:timers/promises'
import type { ImportFormat } from '#contracts/lib/constants.ts'
import { readBytes } from '#server/lib/workers/read-bytes.ts'
import { createJsonPositionsReader } from '#server/tracking/import/formats/json.ts'
import { createCsvReader, createRecReader } from '#server/tracking/import/formats/lines.ts'
import { createXmlPositionsReader } from '#server/tracking/import/formats/xml.ts'
import { createFixes, type Sink } from './fixes.ts'
import { orderByTime } from './order.ts'
import { type Reader, refuseFile } from './reader.ts'

/** Bytes read between two yields to the event loop: a few milliseconds. */
const BYTES_AT_ONCE = 1 << 15
/** How many bytes are looked at to find the format. */
const HEAD_BYTES = 512

/**
 * Reads a file into columns, and the rows to save in the order of their times. For a thread of its own: what a file costs is limited, but it
 * may be seconds.
 */
export async function readPositions(fd: number, now: Date) {
  const { fixes, format } = await readFile(readBytes(fd), now)
  const { errors, skipped, count } = fixes
  return { format, errors, skipped, count, columns: fixes.columns(), rows: await orderByTime(fixes.times()) }
}

/** Reads a file of any known format. Throws a failure that says why, and at which line, if it cannot be read to its end. */
export async function readFile(bytes: AsyncIterable<Uint8Array>, now: Date) {
  const fixes = createFixes(now)
  let format: ImportFormat | null = null
  let reader: Reader | null = null
  let head = Buffer.alloc(0)
  const open = () => {
    reader = openReader(head, fixes, (found) => {
      format ??= found
    })
    reader.write(head)
  }
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += BYTES_AT_ONCE) {
      const piece = chunk.subarray(at, at + BYTES_AT_ONCE)
      if (reader) (reader as Reader).write(piece)
      else {
        head = Buffer.concat([head, piece])
        if (head.length >= HEAD_BYTES) open()
      }
      await setImmediate()
    }
  }
  if (!reader) open()
  await (reader as Reader | null)?.end()
  if (format === null) throw refuseFile('unknown_format')
  if (fixes.count === 0 && fixes.skipped === 0) throw refuseFile('empty')
  return { fixes, format: format as ImportFormat }
}

const REC_LINE = /^\d{4}-\d\d-\d\dT[^\t\n]*\t[^\t\n]*\t/

/** Chooses the reader by the first characters; the name of a file says nothing reliable. */
function openReader(head: Buffer, sink: Sink, onFormat: (format: ImportFormat) => void): Reader {
  if (head.includes(0)) throw refuseFile('unknown_format', 1)
  const text = head
    .toString()
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (text === '') throw refuseFile('empty')
  if (text.startsWith('<')) return createXmlPositionsReader(sink, onFormat)
  if (/^[{[]/.test(text)) return createJsonPositionsReader(sink, onFormat)
  onFormat(REC_LINE.test(text) ? 'rec' : 'csv')
  return REC_LINE.test(text) ? createRecReader(sink) : createCsvReader(sink)
}
