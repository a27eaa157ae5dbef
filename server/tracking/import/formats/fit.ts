import { readNumber } from '#contracts/rules/reading/number.ts'
import type { FileFix, Sink } from './fixes.ts'
import { type Reader, refuseFile } from './fixes.ts'

/** A day of one record a second has some 3 MB. The library holds all records in memory at once. */
const MAX_BYTES = 16 * 1024 * 1024

/** A file of a sports watch: the records of an activity. It has no lines, so records are counted instead. */
export function createFitReader(sink: Sink): Reader {
  const pieces: Uint8Array[] = []
  let size = 0
  return {
    write(bytes) {
      size += bytes.length
      if (size > MAX_BYTES) throw refuseFile('too_complex')
      pieces.push(Uint8Array.from(bytes))
    },
    async end() {
      const { default: FitParser } = await import('fit-file-parser')
      let nth = 0
      for (const { bytes, isCut } of splitActivities(Buffer.concat(pieces))) {
        // Its own checksum would reject files of a recorder whose battery ran empty.
        const parser = new FitParser({ force: true, mode: 'list', speedUnit: 'm/s', lengthUnit: 'm' })
        const { records = [] } = await parser.parseAsync(bytes).catch(() => {
          throw refuseFile('broken', nth + 1)
        })
        for (const record of records) addRecord(sink, record as Record<string, unknown>, ++nth)
        if (isCut) sink.damage('ends_early', nth)
      }
    },
  }
}

function addRecord(sink: Sink, record: Record<string, unknown>, line: number) {
  const [lat, lng] = [readNumber(record.position_lat), readNumber(record.position_long)]
  if (lat === undefined || lng === undefined) return sink.skip(line, 'no_fix')
  const speed = readNumber(record.enhanced_speed ?? record.speed)
  const fix: FileFix = {
    lat,
    lng,
    time: record.timestamp instanceof Date ? record.timestamp.getTime() : null,
    altitude: readNumber(record.enhanced_altitude ?? record.altitude),
    speed: speed === undefined ? undefined : speed * 3.6,
    course: readNumber(record.heading),
    precision: readNumber(record.gps_accuracy),
  }
  sink.add(fix, line)
}

/** Activities may follow each other in one file; a truncated last one ends with its last complete record. */
function* splitActivities(file: Buffer): Generator<{ bytes: ArrayBuffer; isCut: boolean }> {
  for (let start = 0; start + 12 < file.length && file.toString('latin1', start + 8, start + 12) === '.FIT'; ) {
    const headerSize = file[start]!
    const end = start + headerSize + file.readUInt32LE(start + 4)
    const isCut = end > file.length
    const bytes = Uint8Array.from(file.subarray(start, isCut ? findLastRecord(file, start + headerSize) : end))
    if (isCut) new DataView(bytes.buffer).setUint32(4, bytes.length - headerSize, true)
    yield { bytes: bytes.buffer, isCut }
    start = end + 2
  }
}

/** Returns where the last complete record ends. The size of each is in the preceding definition. */
function findLastRecord(file: Buffer, from: number): number {
  const sizes = new Map<number, number>()
  let at = from
  for (;;) {
    const header = file[at]
    if (header === undefined) return at
    const isCompressed = (header & 0x80) !== 0
    const isDefinition = !isCompressed && (header & 0x40) !== 0
    const fields = file[at + 5] ?? 0
    const ownFields = (header & 0x20) === 0 ? undefined : (file[at + 6 + 3 * fields] ?? 0)
    const size = isDefinition
      ? 6 + 3 * fields + (ownFields === undefined ? 0 : 1 + 3 * ownFields)
      : 1 + (sizes.get(isCompressed ? (header >> 5) & 3 : header & 15) ?? Number.POSITIVE_INFINITY)
    if (at + size > file.length) return at
    if (isDefinition) {
      let sum = 0
      for (let field = 0; field < fields; field++) sum += file[at + 7 + 3 * field]!
      for (let field = 0; field < (ownFields ?? 0); field++) sum += file[at + 8 + 3 * (fields + field)]!
      sizes.set(header & 15, sum)
    }
    at += size
  }
}
