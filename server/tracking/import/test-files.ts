import type { ImportFormat } from '#contracts/data.ts'
import type { PositionRow } from '#db/positions.ts'

type File = { text: string; format: ImportFormat; rows: Partial<PositionRow>[]; errors?: { line: number; reason: string }[] }

const TIME = Date.parse('2026-02-01T12:00:00Z') / 1000
const PLACE = { lat: 481_371_000, lng: 115_754_000 }

export const emptyRow: PositionRow = {
  time: TIME,
  ...PLACE,
  precision: 25,
  event: null,
  battery: null,
  speed: null,
  course: null,
  altitude: null,
  mark: null,
}

const isoTimes = ['2026-02-01T12:00:00Z', '2026-02-01T13:01:00+01:00']

/** Small files as common programs write them. */
export const FORMATS: [string, File][] = [
  [
    'a GPX 1.0 track with speed and dilution',
    {
      text: `<?xml version="1.0"?><gpx version="1.0" creator="GPSLogger" xmlns="http://www.topografix.com/GPX/1/0"><trk><trkseg>
<trkpt lat="48.1371" lon="11.5754"><ele>519.4</ele><time>2026-02-01T12:00:00.000Z</time><course>359.7</course><speed>10</speed><hdop>1.2</hdop></trkpt></trkseg></trk></gpx>`,
      format: 'gpx',
      rows: [{ altitude: 519, course: 0, speed: 360, precision: 6 }],
    },
  ],
  [
    'a KML track, a point with a time, and a line without times',
    {
      text: `<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>
<Placemark><gx:Track><when>2026-02-01T12:00:00Z</when><gx:coord>11.5754 48.1371 519</gx:coord></gx:Track></Placemark>
<Placemark><TimeStamp><when>2026-02-01T12:01:00Z</when></TimeStamp><Point><coordinates>11.5754,48.1371,0</coordinates></Point></Placemark>
<Placemark><LineString><coordinates>11,48 12,49</coordinates></LineString></Placemark></Document></kml>`,
      format: 'kml',
      rows: [{ altitude: 519 }, { time: TIME + 60, altitude: 0 }],
      errors: [{ line: 4, reason: 'no_time' }],
    },
  ],
  [
    'a GeoJSON line with coordTimes and a point of Overland',
    {
      text: JSON.stringify({
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            geometry: {
              type: 'LineString',
              coordinates: [
                [11.5754, 48.1371, 5],
                [11.5754, 48.1371],
              ],
            },
            properties: { coordTimes: isoTimes },
          },
          {
            type: 'Feature',
            geometry: { type: 'Point', coordinates: [11.5754, 48.1371] },
            properties: { timestamp: '2026-02-01T12:02:00Z', horizontal_accuracy: 7, speed: 2.5, altitude: 40, battery_level: 0.5 },
          },
        ],
      }),
      format: 'geojson',
      rows: [{ altitude: 5 }, { time: TIME + 60 }, { time: TIME + 120, precision: 7, speed: 90, altitude: 40, battery: 50 }],
    },
  ],
  [
    'a csv of GPSLogger, whose speed is in metres per second',
    {
      text: 'time,lat,lon,elevation,accuracy,bearing,speed,satellites\n2026-02-01T12:00:00.000Z,48.1371,11.5754,519,4.2,90,10,7\nyesterday,1,2,,,,,\n',
      format: 'csv',
      rows: [{ altitude: 519, precision: 4, course: 90, speed: 360 }],
      errors: [{ line: 3, reason: 'bad_time' }],
    },
  ],
  [
    'a csv with semicolons, decimal commas, and date and time apart',
    {
      text: 'Date;Time;Latitude;Longitude;Speed (km/h)\r\n2026-02-01;12:00:00;48,1371;11,5754;12,5\r\n',
      format: 'csv',
      rows: [{ speed: 125 }],
    },
  ],
  [
    'a .rec file of OwnTracks',
    {
      text: `2026-02-01T12:00:00Z\t*                 \t{"_type":"location","lat":48.1371,"lon":11.5754,"tst":${TIME},"acc":9,"vel":30,"cog":45,"alt":519,"batt":88}
2026-02-01T12:00:30Z\tlwt               \t{"_type":"lwt","tst":1}
2026-02-01T12:00:40Z\t*                 \t{"_type":"loc
`,
      format: 'rec',
      rows: [{ precision: 9, speed: 300, course: 45, altitude: 519, battery: 88 }],
      errors: [{ line: 3, reason: 'unreadable' }],
    },
  ],
  [
    'Records.json of Google Takeout',
    {
      text: `{"locations": [
{"latitudeE7": 481371000, "longitudeE7": 115754000, "accuracy": 20, "velocity": 10, "heading": 12, "altitude": 519, "activity": [{"activity": [{"type": "STILL"}], "timestamp": "2026-02-01T12:00:00Z"}], "timestamp": "2026-02-01T12:00:00.123Z"},
{"latitudeE7": 481371000, "longitudeE7": 115754000, "timestampMs": "${(TIME + 60) * 1000}"},
{"latitudeE7": 4294967295, "longitudeE7": 115754000, "timestamp": "2026-02-01T12:02:00Z"}]}`,
      format: 'timeline',
      rows: [{ precision: 20, speed: 360, course: 12, altitude: 519 }, { time: TIME + 60 }, { time: TIME + 120, lat: -1 }],
    },
  ],
  [
    'Timeline.json of an Android phone',
    {
      text: `{"semanticSegments": [
{"startTime": "2026-02-01T12:00:00.000+01:00", "endTime": "2026-02-01T14:00:00.000+01:00", "timelinePath": [{"point": "48.1371°, 11.5754°", "time": "2026-02-01T13:00:00.000+01:00"}]},
{"startTime": "2026-02-01T14:00:00Z", "endTime": "2026-02-01T15:00:00Z", "visit": {"topCandidate": {"placeLocation": {"latLng": "1°, 2°"}}}}],
"rawSignals": [{"position": {"LatLng": "48.1371°, 11.5754°", "accuracyMeters": 13, "altitudeMeters": 519.6, "source": "WIFI", "timestamp": "2026-02-01T13:01:00.000+01:00", "speedMetersPerSecond": 1}},
{"wifiScan": {"deliveryTime": "2026-02-01T13:01:00.000+01:00"}}], "userLocationProfile": {}}`,
      format: 'timeline',
      rows: [{}, { time: TIME + 60, precision: 13, altitude: 520, speed: 36 }],
    },
  ],
  [
    'Timeline.json of an iPhone',
    {
      text: `[{"endTime": "2026-02-01T14:00:00.000+01:00", "startTime": "2026-02-01T13:00:00.000+01:00", "timelinePath": [{"point": "geo:48.137100,11.575400", "durationMinutesOffsetFromStartTime": "5"}]}]`,
      format: 'timeline',
      rows: [{ time: TIME + 300 }],
    },
  ],
]
