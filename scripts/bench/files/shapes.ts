/** Files of about 63 MB, each large in another way; those of `limit` characters stay below the size limit of a file. */
const SIZE = 63 * 1024 * 1024

/** Repeats numbered parts up to the size. */
function fill(part: (nth: number) => string, [before, after]: readonly [string, string]): string {
  const parts = [before]
  let size = before.length + after.length
  for (let nth = 0; ; nth++) {
    const next = part(nth)
    size += next.length
    if (size > SIZE) break
    parts.push(next)
  }
  return parts.join('') + after
}

const repeat = (text: string, around: readonly [string, string]) =>
  around[0] + text.repeat(Math.floor((SIZE - around[0].length - around[1].length) / text.length)) + around[1]

const POINT = '<trkpt lat="1" lon="2"><time>2026-02-01T12:00:00Z</time></trkpt>'
const track = ['<gpx><trk><trkseg>', '</trkseg></trk></gpx>'] as const
const kmlTrack = ['<kml><gx:Track>', '</gx:Track></kml>'] as const
const dateAt = (nth: number) => new Date(Date.UTC(2010, 0, 1) + nth * 10_000).toISOString()

/** The content of a file, by the name of its shape. */
export const SHAPES: Readonly<Record<string, () => string>> = {
  'gpx: one element with many attributes': () => fill((nth) => ` a${nth.toString(36)}=""`, ['<gpx', '></gpx>']),
  'gpx: one attribute': () => repeat('x', ['<gpx a="', '"></gpx>']),
  'gpx: one name': () => repeat('x', ['<gpx><', '/></gpx>']),
  'gpx: one point with many children': () => fill((nth) => `<a${nth.toString(36)}/>`, ['<gpx><trkpt lat="1" lon="2">', '</trkpt></gpx>']),
  'gpx: one text': () => repeat('x', ['<gpx><desc>', '</desc></gpx>']),
  'gpx: text between children': () => repeat(`xxxxxxxx<a/>`, ['<gpx>', '</gpx>']),
  'gpx: one comment': () => repeat('x', ['<gpx><!--', '--></gpx>']),
  'gpx: one CDATA section': () => repeat('x', ['<gpx><desc><![CDATA[', ']]></desc></gpx>']),
  'gpx: nested as deep as allowed': () => repeat(`${'<a>'.repeat(60)}${'</a>'.repeat(60)}`, ['<gpx>', '</gpx>']),
  'gpx: points of one second': () => repeat(POINT, track),
  'gpx: points': () => fill((nth) => `<trkpt lat="1" lon="2"><time>${dateAt(nth)}</time></trkpt>`, track),
  'kml: one track with many places': () => repeat('<gx:coord>11.5 48.1 0</gx:coord>', kmlTrack),
  'kml: one track with many columns': () => fill((nth) => `<SimpleArrayData name="n${nth.toString(36)}"/>`, kmlTrack),
  'kml: one track with many values': () =>
    repeat('<value>1</value>', [`${kmlTrack[0]}<SimpleArrayData name="speed">`, `</SimpleArrayData>${kmlTrack[1]}`]),
  'kml: one line': () =>
    repeat('11.5,48.1,0 ', ['<kml><Placemark><LineString><coordinates>', '</coordinates></LineString></Placemark></kml>']),
  'json: one object with many keys': () =>
    fill((nth) => `${nth ? ',' : ''}"k${nth.toString(36)}":0`, ['{"type":"Feature","properties":{', '}}']),
  'json: one text': () => repeat('x', ['{"type":"Feature","name":"', '"}']),
  'json: one number': () => repeat('1', ['{"type":"Feature","x":', '}']),
  'json: one list': () => repeat('0,', ['{"type":"Feature","geometry":{"coordinates":[', '0]}}']),
  'json: lists in lists': () => repeat('[[[]]],', ['{"type":"Feature","geometry":{"coordinates":[', '0]}}']),
  'json: objects with different keys': () =>
    fill((nth) => `${nth ? ',' : ''}{"k${nth.toString(36)}":[0]}`, ['{"type":"Feature","geometry":{"coordinates":[', ']}}']),
  'json: nested as deep as allowed': () => repeat(`${'['.repeat(60)}${']'.repeat(60)},`, ['{"features":[', '0]}']),
  'json: points': () =>
    fill((nth) => `${nth ? ',' : ''}{"latitudeE7":10000000,"longitudeE7":20000000,"timestamp":"${dateAt(nth)}"}`, ['{"locations":[', ']}']),
  'csv: many columns': () => repeat(`${','.repeat(60_000)}\n`, ['time,lat,lon\n', '']),
  'csv: one line': () => repeat('x', ['time,lat,lon\n', '\n']),
  'csv: one quoted cell': () => repeat('x\n', ['time,lat,lon\n"', '"\n']),
  'csv: empty lines': () => repeat('\n', ['time,lat,lon\n', '']),
  'csv: positions': () => fill((nth) => `${dateAt(nth)},1,2\n`, ['time,lat,lon\n', '']),
  'rec: one message with many keys': () =>
    repeat(`2026-02-01T12:00:00Z\t*\t{${Array.from({ length: 8000 }, (_, nth) => `"${nth}":0`).join(',')}}\n`, ['', '']),
}
