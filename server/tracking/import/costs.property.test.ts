import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withSpooled } from '#server/http/spool.ts'
import { Failure } from '#server/lib/errors.ts'
import { createLane, type WorkName } from '#server/lib/workers/run-in-worker.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const SIZE = 4 * 1024 * 1024
/**
 * Memory of a thread that reads a file: some ten times what most files need, and a third of what they would take without limits to their
 * structure.
 */
const HEAP_MB = 32
/** Memory of the largest allowed JSON record, a million values in lists. */
const RECORD_HEAP_MB = 80
/** This many of a format's pieces, the worst ones, fill a file each; random ones fill the others. */
const KNOWN_PIECES = 2
const RANDOM_FILES = 2
/** The same files in each run: their cost must not depend on chance. */
const SEED = 20_260_302
/** Pieces that a reader processes between two turns of the event loop. */
const PIECE = 1 << 15
const BUSY_MACHINE_TIMEOUT_MS = 300_000

type Format = { work?: WorkName; megabytes?: number; starts: string[]; pieces: string[] }

const XML = ['<a', '<b>', '</b>', '/>', '>', ' ', ' n="v"', '="', '"', '<!--', '-->', '<![CDATA[', ']]>', '<?x', '?>', '&amp;', 'x', '\n']
const POINT = '<trkpt lat="1" lon="2"><time>2026-02-01T12:00:00Z</time></trkpt>'
const TRACK = ['<gx:coord>1 2 3</gx:coord>', '<when>2026-02-01T12:00:00Z</when>', '<value>1</value>']
const FEATURE = '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"time":1769947200}},'
const JSON_PIECES = ['{', '}', '[', ']', ',', ':', '"', '"k":', '0,', '[],', '{},', 'null,', '\\u0041', 'x', '1e9', '\n', FEATURE]
const LINES = [',', ';', '\t', '"', '""', '\n', '\r\n', 'x', '1', '2026-02-01T12:00:00Z,1,2\n', '{', '}', '*']

/** Beginnings of files of each format, and the pieces that hostile ones repeat. `#` becomes another number each time. */
const FORMATS: Record<string, Format> = {
  GPX: {
    starts: ['<gpx', '<gpx><trk><trkseg>', '<gpx><trkpt lat="1" lon="2"><time>'],
    pieces: [' a#=""', '<a#/>', ...XML, POINT],
  },
  KML: {
    starts: ['<kml', '<kml><gx:Track>', '<kml><Placemark><Point><coordinates>'],
    pieces: [' a#=""', '<SimpleArrayData name="n#"/>', ...XML, ...TRACK],
  },
  JSON: {
    megabytes: RECORD_HEAP_MB,
    starts: ['{"type":"Feature","geometry":{"coordinates":[', '{"type":"Feature","properties":{', '{"features":['],
    pieces: ['[[[]]],', '{"k#":[0]},', '"k#":0,', '"k#":{', ...JSON_PIECES],
  },
  csv: { starts: ['time,lat,lon', 'time,lat,lon\n', 'time,lat,lon\n"'], pieces: ['c#,', ',', ...LINES] },
  rec: {
    starts: ['2026-02-01T12:00:00Z\t*\t{"_type":"location",', '2026-02-01T12:00:00Z\t*\t'],
    pieces: ['"k#":0,', '2026-02-01T12:00:00Z\t*\t{"lat":1}\n', ...LINES],
  },
  'csv of places': { work: 'places', starts: ['name,address\n', 'name,address\n"'], pieces: ['c#,', '"x\n', 'x,"y"\n', ...LINES] },
}

class OutOfMemory extends Error {}

async function* writeFile(start: string, unit: string) {
  let nth = 0
  const writePart = unit.includes('#') ? () => unit.replaceAll('#', () => (nth++).toString(36)) : () => unit
  yield Buffer.from(start)
  for (let size = start.length; size < SIZE; ) {
    let piece = ''
    while (piece.length < PIECE) piece += writePart()
    size += piece.length
    yield Buffer.from(piece)
  }
}

/** Counts the turns of this thread's event loop while a thread reads the file. */
const readBeside = (readInThread: ReturnType<typeof createLane>, name: WorkName, bytes: AsyncIterable<Uint8Array>) =>
  withSpooled(bytes, async ({ fd }) => {
    let [turns, isOver] = [0, false]
    const reading = readInThread({ name, input: [fd, NOW] }).then(
      () => null,
      (error: unknown) => error,
    )
    void reading.then(() => {
      isOver = true
    })
    for (; !isOver; turns++) await setImmediate()
    return { turns, error: await reading }
  })

test.each(Object.entries(FORMATS))(
  'a hostile %s file is read or refused within the memory of its thread, while other requests get their turns',
  async (_, { work = 'positions', megabytes = HEAP_MB, starts, pieces }) => {
    const readInThread = createLane({ megabytes, seconds: 240, refusal: () => new OutOfMemory() as Failure })
    const units = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))
    const known = pieces.slice(0, KNOWN_PIECES).map((piece): [string, string] => [starts[0]!, piece])
    const isCheap = fc.asyncProperty(fc.constantFrom(...starts), units, async (start, unit) => {
      const { turns, error } = await readBeside(readInThread, work, writeFile(start, unit))
      if (error === null) expect(turns).toBeGreaterThan(10 * (SIZE / PIECE))
      else expect(error).toBeInstanceOf(Failure)
    })
    await fc.assert(isCheap, { seed: SEED, examples: known, numRuns: known.length + RANDOM_FILES, endOnFailure: true })
  },
  BUSY_MACHINE_TIMEOUT_MS,
)
