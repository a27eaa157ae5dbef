import { type FlateError, Gunzip, Unzip, UnzipInflate } from 'fflate'
import type { ImportFormat, ImportProblem } from '#contracts/data.ts'
import { UPLOAD_FIELD } from '#contracts/lib/route.ts'
import { IMPORTS } from '#contracts/limits/upload-limits.ts'
import { createTextDecoder, detectEncoding } from '#contracts/rules/reading/encoding.ts'
import { Failure } from '#server/lib/errors.ts'
import { createFitReader } from './fit.ts'
import type { Sink } from './fixes.ts'
import { type Reader, refuseFile } from './fixes.ts'
import { createJsonPositionsReader } from './json.ts'
import { createCsvReader, createRecReader, REC_LINE } from './lines.ts'
import { createXmlPositionsReader } from './xml.ts'

/** The number of bytes examined to detect the format. */
const HEAD_BYTES = 1024
/** Compressed bytes that are decompressed at once: they may expand a thousandfold. */
const PACKED_AT_ONCE = 1 << 12
/** Decompressed bytes that a reader processes at once. */
const UNPACKED_AT_ONCE = 1 << 16

type SinkOf = (file?: string) => Sink
type OnFormat = (format: ImportFormat) => void

/** Reads a file of any format, plain or compressed; its first bytes determine the format, since a name is not reliable. */
export function createFileReader(sinkOf: SinkOf, onFormat: OnFormat): Reader {
  const budget = createBudget()
  return createSniffer((head) => {
    const isLocked = startsWith(head, 'PK\x03\x04') && ((head[6] ?? 0) & 1) === 1
    if (startsWith(head, 'PK\x03\x04') && !isLocked) return createZipReader(sinkOf, onFormat, budget)
    if (startsWith(head, '\x1f\x8b')) return createGzipReader(sinkOf(), onFormat, budget)
    return openReader(head, sinkOf(), onFormat)
  })
}

/** Chooses the reader by the first bytes, once there are enough. */
function createSniffer(open: (head: Buffer) => Reader): Reader {
  let head = Buffer.alloc(0)
  let reader: Reader | null = null
  const start = () => {
    reader = open(head)
    reader.write(head)
    return reader
  }
  return {
    write(bytes) {
      if (reader) return reader.write(bytes)
      head = Buffer.concat([head, bytes])
      if (head.length >= HEAD_BYTES) start()
    },
    end: () => (reader ?? start()).end(),
  }
}

const startsWith = (head: Buffer, text: string, at = 0) => head.subarray(at, at + text.length).toString('latin1') === text

/** Files of other formats that people upload by mistake, by their first bytes. */
const KNOWN_OTHERS: [ImportProblem, string, number?][] = [
  ['archive', 'Rar!'],
  ['archive', "7z\xbc\xaf'\x1c"],
  ['archive', 'BZh'],
  ['archive', '\xfd7zXZ'],
  ['archive', '(\xb5/\xfd'],
  ['archive', 'ustar', 257],
  ['archive', 'PK'],
  ['archive', '\x1f\x8b'],
  ['spreadsheet', '\xd0\xcf\x11\xe0'],
]

function openReader(head: Buffer, sink: Sink, onFormat: OnFormat): Reader {
  const other = KNOWN_OTHERS.find(([, text, at]) => startsWith(head, text, at))
  if (other) throw refuseFile(other[0])
  if (startsWith(head, '.FIT', 8)) {
    onFormat('fit')
    return createFitReader(sink)
  }
  const encoding = detectEncoding(head)
  const text = createTextDecoder(encoding)(head).trimStart()
  // A recorder with an empty battery leaves zeros at the end.
  if (text.replace(/\0+$/, '').includes('\0')) throw refuseFile('unknown_format', 1)
  if (text === '') throw refuseFile('empty')
  const reader = openTextReader(text, sink, onFormat)
  return encoding === 'utf-8' ? reader : createTranscoder(reader, createTextDecoder(encoding))
}

const WEB_PAGE = /^(?:<!--[\s\S]*?-->\s*)?<(?:!doctype\s+html|html|head|body|meta|script|title|div)\b/i

function openTextReader(text: string, sink: Sink, onFormat: OnFormat): Reader {
  if (WEB_PAGE.test(text)) throw refuseFile('web_page')
  if (text.startsWith('<')) return createXmlPositionsReader(sink, onFormat)
  if (/^[{[]/.test(text)) return createJsonPositionsReader(sink, onFormat)
  onFormat(REC_LINE.test(text) ? 'rec' : 'csv')
  return REC_LINE.test(text) ? createRecReader(sink) : createCsvReader(sink)
}

const createTranscoder = (reader: Reader, decode: (bytes?: Uint8Array) => string): Reader => ({
  write: (bytes) => reader.write(Buffer.from(decode(bytes))),
  end() {
    reader.write(Buffer.from(decode()))
    return reader.end()
  },
})

/** Counts the decompressed bytes, so that a small file cannot become an endless one. */
function createBudget() {
  let bytes = 0
  return (size: number) => {
    bytes += size
    if (bytes > IMPORTS.unpackedBytes) throw refuseFile('too_complex')
  }
}

const pieces = function* (bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** A compressed file; a truncated one is read as far as it goes. */
function createGzipReader(sink: Sink, onFormat: OnFormat, spend: (size: number) => void): Reader {
  const inner = createSniffer((head) => openReader(head, sink, onFormat))
  let isEmpty = true
  const gunzip = new Gunzip((data) => {
    spend(data.length)
    isEmpty &&= data.length === 0
    for (const piece of pieces(data, UNPACKED_AT_ONCE)) inner.write(piece)
  })
  let isOver = false
  const push = (bytes: Uint8Array, isLast: boolean) => {
    if (isOver) return
    try {
      gunzip.push(bytes, isLast)
    } catch (error) {
      if (!isFlateError(error)) throw error
      isOver = true
      sink.damage(isLast ? 'ends_early' : 'damaged', 1)
    }
  }
  return {
    write(bytes) {
      for (const piece of pieces(bytes, PACKED_AT_ONCE)) push(piece, false)
    },
    end() {
      push(new Uint8Array(), true)
      if (isEmpty && isOver) throw refuseFile('broken', 1)
      return inner.end()
    },
  }
}

const isFlateError = (error: unknown): error is FlateError => error instanceof Error && 'code' in error && typeof error.code === 'number'

/** Files that programs add to an archive for themselves, and pictures. */
const UNSEEN = /(?:^|\/)(?:__MACOSX\/|\.)|\/$|\.(?:png|jpe?g|gif|svg|webp|heic|mp4)$/i
/** Entries of a spreadsheet, which is an archive too. */
const SPREADSHEET = /^(?:xl\/workbook\.\w+|content\.xml)$/
/** Problems of one file in an archive that do not make the others unreadable. */
const PASSED_OVER: readonly ImportProblem[] = [
  'unknown_format',
  'web_page',
  'archive',
  'spreadsheet',
  'other_takeout',
  'empty',
  'broken',
  'forbidden',
]
/** Compression methods that the library supports: none, and deflate. */
const METHODS = [0, 8]
const isRefusal = ({ extras }: Failure, problem: ImportProblem) =>
  JSON.stringify(extras.errors) === JSON.stringify({ [UPLOAD_FIELD]: [problem] })
const END_OF_DIRECTORY = 'PK\x05\x06'

type Entry = { name: string; sink: Sink; inner: Reader; isOver: boolean }

/** Reads every file of positions in an archive, in the order of the archive. Others are listed. */
function createZipReader(sinkOf: SinkOf, onFormat: OnFormat, spend: (size: number) => void): Reader {
  const entries: Entry[] = []
  const ends: Promise<void>[] = []
  let refusal: Failure | null = null
  /** The library swallows errors thrown while it decompresses. */
  let fatal: unknown = null
  let tail = Buffer.alloc(0)
  let isWhole = false

  const attempt = (entry: Entry, work: () => void) => {
    if (entry.isOver || fatal !== null) return
    try {
      work()
    } catch (error) {
      passOver(entry, error)
    }
  }
  const passOver = (entry: Entry, error: unknown) => {
    entry.isOver = true
    const isPassedOver = error instanceof Failure && PASSED_OVER.some((problem) => isRefusal(error, problem))
    if (!isPassedOver) fatal ??= error
    else refusal ??= error
    entry.sink.pass([entry.name])
  }
  const finish = (entry: Entry) =>
    attempt(entry, () => {
      const ending = Promise.resolve(entry.inner.end())
      entry.isOver = true
      ends.push(ending.catch((error: unknown) => passOver(entry, error)))
    })

  const unzip = new Unzip((file) => {
    if (entries.length === IMPORTS.unpackedFiles) throw refuseFile('too_complex')
    if (SPREADSHEET.test(file.name)) throw refuseFile('spreadsheet')
    if (UNSEEN.test(file.name)) return
    const sink = sinkOf(file.name)
    const entry = { name: file.name, sink, inner: createSniffer((head) => openReader(head, sink, onFormat)), isOver: false }
    entries.push(entry)
    if (!METHODS.includes(file.compression)) return passOver(entry, refuseFile('archive'))
    file.ondata = (error, data, isLast) => {
      if (error) {
        finish(entry)
        sink.damage('damaged', 1)
        return
      }
      try {
        spend(data.length)
      } catch (refusal) {
        fatal ??= refusal
      }
      attempt(entry, () => {
        for (const piece of pieces(data, UNPACKED_AT_ONCE)) entry.inner.write(piece)
      })
      if (isLast) finish(entry)
    }
    file.start()
  })
  unzip.register(UnzipInflate)

  return {
    write(bytes) {
      for (const piece of pieces(bytes, PACKED_AT_ONCE)) {
        tail = Buffer.concat([tail.subarray(-3), piece])
        isWhole ||= tail.includes(END_OF_DIRECTORY, 0, 'latin1')
        unzip.push(piece)
        if (fatal !== null) throw fatal
      }
    },
    async end() {
      for (const entry of entries) finish(entry)
      await Promise.all(ends)
      if (fatal !== null) throw fatal
      if (!isWhole) sinkOf().damage('ends_early', 1)
      if (refusal && entries.length === 1) throw refusal
    },
  }
}
