import { expect, test } from 'vitest'
import { FILE_SHAPE, IMPORTS } from '#contracts/limits/upload-limits.ts'
import { queryRows } from '#server/test/test-database.ts'
import { readFile } from '#server/tracking/import/formats/read-file.ts'
import { startImport } from './test-import.ts'

const BOMB = `<?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><gpx><trk>&b;</trk></gpx>`
const FOREIGN = `<!DOCTYPE gpx SYSTEM "file:///etc/passwd"><gpx/>`

/** Many different names in one text. */
const listNames = (count: number, write: (name: string) => string, separator = ' ') =>
  Array.from({ length: count }, (_, nth) => write(`a${nth}`)).join(separator)

test.each<[string, string | Buffer, string, number?]>([
  ['an entity bomb', BOMB, 'forbidden', 1],
  ['a document type with an outside file', FOREIGN, 'forbidden', 1],
  ['XML that ends before its first point', '<gpx><trk>\n<trkseg>\n', 'broken', 3],
  ['XML with wrong nesting and no point', '<gpx><trk>\n</gpx></trk>', 'broken', 2],
  ['deeply nested XML', '<gpx>'.repeat(100_000), 'too_deep', 1],
  ['another kind of XML', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'unknown_format', 1],
  ['deeply nested JSON', '['.repeat(1_000_000), 'too_deep', 1],
  ['deeply nested objects', '{"a":'.repeat(1_000_000), 'too_deep', 1],
  ['JSON that ends before its first record', '{"locations": [\n{"latitudeE7": 1, "longitudeE7": 2', 'broken', 2],
  ['JSON with wrong brackets', '{"features": [}', 'broken', 1],
  ['JSON with a character that belongs nowhere', '{"type":"Feature",\n"geometry":x}', 'broken', 2],
  ['JSON with a number that is none', '{"features":[\n1e9e]}', 'broken', 2],
  ['JSON with an unknown escape', '{"features":["\\q"]}', 'broken', 1],
  ['JSON of another kind', '{"name": "package", "version": "1.0.0"}', 'unknown_format'],
  [
    'one record with millions of values',
    `{"type":"Feature","geometry":{"coordinates":[${'0,'.repeat(FILE_SHAPE.values)}0]}}`,
    'too_complex',
    1,
  ],
  [
    'one record with many objects',
    `{"type":"Feature","geometry":{"coordinates":[${'{"k":0},'.repeat(FILE_SHAPE.values / 5)}0]}}`,
    'too_complex',
    1,
  ],
  [
    'one record with many texts',
    `{"type":"Feature","geometry":{"coordinates":[${`"${'x'.repeat(2000)}",`.repeat(FILE_SHAPE.values / 60)}0]}}`,
    'too_complex',
    1,
  ],
  ['an element with many attributes', `<gpx ${listNames(65, (name) => `${name}=""`)}/>`, 'too_complex', 1],
  ['an element with a very long attribute', `<gpx a="${'x'.repeat(200_000)}"/>`, 'too_complex', 1],
  ['an element with a very long name', `<gpx>\n<${'x'.repeat(257)}/></gpx>`, 'too_complex', 2],
  ['an attribute with a very long name', `<gpx ${'x'.repeat(257)}=""/>`, 'too_complex', 1],
  ['a name of XML without an end', `<gpx><${'x'.repeat(FILE_SHAPE.text + 100_000)}`, 'too_complex', 1],
  ['a closing name of XML without an end', `<gpx></${'x'.repeat(FILE_SHAPE.text + 100_000)}`, 'too_complex', 1],
  ['a comment of XML without an end', `<gpx><!--${'x'.repeat(FILE_SHAPE.text + 100_000)}`, 'too_complex', 1],
  ['an instruction of XML without an end', `<gpx><?x ${'x'.repeat(FILE_SHAPE.text + 100_000)}`, 'too_complex', 1],
  ['an entity of XML without an end', `<gpx>&${'x'.repeat(FILE_SHAPE.text + 100_000)}`, 'too_complex', 1],
  ['a section of text without an end', `<gpx><![CDATA[${'x'.repeat(FILE_SHAPE.text + 100_000)}`, 'too_complex', 1],
  ['a text of XML in one piece', `<gpx><desc>${'x'.repeat(FILE_SHAPE.text + 100_000)}</desc></gpx>`, 'too_complex', 1],
  ['a text of XML between elements', `<gpx><trkpt><time>${`${'x'.repeat(1000)}<a/>`.repeat(FILE_SHAPE.text / 1000 + 1)}`, 'too_complex', 1],
  ['an object with many keys', `{"type":"Feature","properties":{${listNames(1001, (name) => `"${name}":0`, ',')}}}`, 'too_complex', 1],
  ['a key without an end', `{"${'x'.repeat(FILE_SHAPE.text + 100_000)}`, 'too_complex', 1],
  ['a very long key', `{\n"${'x'.repeat(257)}":0}`, 'too_complex', 2],
  ['a text of JSON without an end', `{"name":"${'x'.repeat(FILE_SHAPE.text + 100_000)}`, 'too_complex', 1],
  ['a number without an end', `{"name":${'1'.repeat(FILE_SHAPE.text + 100_000)}`, 'too_complex', 1],
  ['a csv with many columns', `time,lat,lon${',x'.repeat(1000)}\n`, 'too_complex', 1],
  ['a csv row with many columns', `time,lat,lon\n${',x'.repeat(1000)}\n`, 'too_complex', 2],
  ['a csv of rows without a position', `time,lat,lon\n${'x\n'.repeat(IMPORTS.skipped + 1)}`, 'too_complex', IMPORTS.skipped + 2],
  ['a csv of empty lines with another end than the header', `time,lat,lon\n${'\r\n'.repeat(2_000_000)}`, 'empty'],
  ['a GPX without a track point', '<gpx version="1.1"></gpx>', 'empty'],
  ['a GPX whose only point has no time', '<gpx><trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>', 'empty'],
  ['a GeoJSON without features', '{"type":"FeatureCollection","name":"Rex","features":[\n]}\n', 'empty'],
  ['a collection whose features are no list', '{"type":"FeatureCollection","features":{}}', 'unknown_format'],
  ['an empty file', '', 'empty'],
  ['a csv without columns of positions', 'name,address\nVet,x\n', 'unknown_format', 1],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'unknown_format', 1],
  ['a line without an end', 'a'.repeat(200_000), 'unknown_format', 1],
  ['a csv row without an end', `time,lat,lon\n"${'x'.repeat(200_000)}`, 'broken'],
])('%s is refused with a reason and leaves nothing behind', async (_, file, problem, line) => {
  await using page = await startImport()
  const { status, body } = await page.upload(file)
  expect(body).toMatchObject({ code: 'validation_error', errors: { file: [problem] }, ...(line && { line }) })
  expect(status).toBe(400)
  const { db } = page.portal.world
  expect(await queryRows(db, 'select 1 from imports union all select 1 from import_blocks')).toEqual([])
})

test('a file above the limit is refused with 413', async () => {
  await using page = await startImport()
  const { status, body } = await page.upload(Buffer.alloc(IMPORTS.maxBytes + 1, 'time,lat,lon\n'))
  expect([status, body.code]).toEqual([413, 'too_large'])
})

test('names in a file cannot access the prototype', async () => {
  const text =
    '{"type":"FeatureCollection","__proto__":{"polluted":1},"features":[{"type":"Feature","__proto__":{"x":1},"geometry":{"type":"Point","coordinates":[1,2]},"properties":{"time":1769947200,"constructor":1}}]}'
  const { fixes } = await readFile(oneByOne(text), new Date('2026-03-02T09:00:00Z'))
  expect([fixes.count, ({} as Record<string, unknown>).polluted]).toEqual([1, undefined])
  const kml =
    '<kml><gx:Track xmlns:gx="x"><ExtendedData><SimpleArrayData name="constructor"><value>1</value></SimpleArrayData></ExtendedData></gx:Track></kml>'
  await expect(readFile(oneByOne(kml), new Date())).rejects.toMatchObject({ extras: { errors: { file: ['empty'] } } })
})

/** A file that arrives byte by byte. */
async function* oneByOne(text: string) {
  for (const byte of Buffer.from(text)) yield Uint8Array.of(byte)
}
