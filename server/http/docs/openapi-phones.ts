import { type ErrorCode, errors } from '#contracts/lib/errors.ts'

const CODES: ErrorCode[] = ['validation_error', 'malformed_json', 'invalid_device_key', 'unknown_tracker', 'too_large', 'throttled']
const SUMMARY = 'Takes what a phone reports, as'

const failures = Object.fromEntries(
  [...new Set(CODES.map((code) => errors[code]))].map((status) => [
    status,
    {
      description: CODES.filter((code) => errors[code] === status).join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]),
)

const operation = (name: string, summary: string, success: object) => ({
  operationId: `phones.${name}`,
  tags: ['phones'],
  summary: `${SUMMARY} ${summary} (docs/devices.md)`,
  description: 'Needs the key of a tracker, an account or a gateway. What was stored cannot be taken back.',
  security: [{ device: [] }, { basic: [] }, {}],
  'x-safety': 'destructive',
  'x-provenance': 'assumed',
  responses: { 200: { description: 'Success', ...success }, ...failures },
})

const query = (name: string, type: 'string' | 'number', description: string) => ({ name, in: 'query', schema: { type }, description })

const osmand = {
  parameters: [
    query('id', 'string', 'A key of the tracker; or its identifier or S/N, with the key elsewhere'),
    query('lat', 'number', 'Degrees; without coordinates it is only a sign of life'),
    query('lon', 'number', 'Degrees'),
    query('timestamp', 'string', 'Unix seconds or milliseconds, ISO 8601, or `yyyy-MM-dd HH:mm:ss`; now when it is left out'),
    query('accuracy', 'number', 'Metres'),
    query('hdop', 'number', 'Dilution, for apps that send no accuracy; metres from OsmAnd'),
    query('speed', 'number', 'Knots; `spd` is metres per second'),
    query('bearing', 'number', 'Degrees clockwise from north'),
    query('altitude', 'number', 'Metres'),
    query('batt', 'number', 'Percent, or a share when it is less than 1'),
    query('alarm', 'string', '`sos` is told as a pressed button'),
    query('key', 'string', 'The key, when `id` is the number of a tracker'),
  ],
}

const json = (example: object) => ({ required: true, content: { 'application/json': { schema: { type: 'object' }, example } } })

const location = {
  timestamp: '2026-03-02T08:59:30.862Z',
  coords: { latitude: -34.9099, longitude: -56.1497, accuracy: 3.8, speed: 1.4, heading: 63, altitude: 35.7 },
  battery: { level: 0.79, is_charging: false },
}

/** Paths of the phone endpoints. Their bodies are defined by the apps, so they are not in the contract table. */
export const phonePaths = {
  '/ingest/osmand': {
    get: { ...operation('osmandQuery', 'OsmAnd does', {}), ...osmand },
    post: {
      ...operation('osmand', 'Traccar Client does: as JSON, or the parameters of GET as a form', {}),
      ...osmand,
      requestBody: { ...json({ location, device_id: '10000000-06' }), required: false },
    },
  },
  '/ingest/owntracks': {
    post: {
      ...operation('ownTracks', 'OwnTracks does: user and password are identifier and key', {
        content: { 'application/json': { schema: { type: 'array', items: {}, maxItems: 0 } } },
      }),
      requestBody: json({ _type: 'location', lat: -34.9099, lon: -56.1497, tst: 1_772_441_970, acc: 20, batt: 64, tid: 'ex' }),
    },
  },
  '/ingest/overland': {
    post: {
      ...operation('overland', 'Overland does: a batch of GeoJSON features of up to 1 MB, with the key as a bearer token', {
        content: { 'application/json': { schema: { type: 'object', properties: { result: { type: 'string', enum: ['ok'] } } } } },
      }),
      requestBody: json({
        locations: [
          {
            type: 'Feature',
            geometry: { type: 'Point', coordinates: [-56.1497, -34.9099] },
            properties: {
              timestamp: '2026-03-02T08:59:30Z',
              horizontal_accuracy: 8,
              speed: 1.4,
              course: 63,
              altitude: 35,
              battery_level: 0.64,
              device_id: '10000000-06',
            },
          },
        ],
      }),
    },
  },
}
