import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { Latitude, Longitude } from '#contracts/lib/common.ts'
import { authenticateDeviceKey } from '#server/http/access/device-access.ts'
import { parseInput } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { ingest } from '#server/tracking/ingest.ts'
import { findReportingTracker } from '#server/tracking/positions.store.ts'
import { type Parameters, readOsmandForm, readTraccarJson } from './osmand.ts'
import { batteryPercent, type Fix, fixPrecision, lenient, type Report, Timestamp } from './report.ts'

/** Endpoints for phone apps, in the formats of those apps (docs/devices.md); all end in `ingest`. */
export function registerPhoneRoutes(app: FastifyInstance) {
  app.register(async (phones) => {
    phones.removeAllContentTypeParsers()
    phones.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body))
    phones.addHook('onSend', async (_, reply) => {
      reply.header('cache-control', 'no-store')
      if (reply.statusCode === 401) reply.header('www-authenticate', 'Basic realm="Device key", charset="UTF-8"')
    })
    phones.route({
      method: ['GET', 'POST'],
      url: '/ingest/osmand',
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        await handleOsmand(request, reply)
        return reply.send()
      },
    })
    phones.post('/ingest/owntracks', async (request, reply) => {
      await handleOwnTracks(request, reply)
      return []
    })
  })
}

async function handleOsmand(request: FastifyRequest, reply: FastifyReply) {
  const body = bodyText(request)
  const json = isJson(body) ? parseObject(body) : undefined
  const parameters = { ...plainTexts(request.query), ...(json ? plainTexts(json) : Object.fromEntries(new URLSearchParams(body))) }
  const id = parameters.device_id ?? parameters.id ?? parameters.deviceid
  const ingestReport = await authenticatePhone(request, reply, withDeviceId(readCredentials(request), id))
  await ingestReport(isTraccarBody(json) ? readTraccarJson(json) : readOsmandForm(parameters, request.world.clock.now()))
}

async function handleOwnTracks(request: FastifyRequest, reply: FastifyReply) {
  const ingestReport = await authenticatePhone(request, reply, readCredentials(request))
  const body = bodyText(request)
  const report = body.trim() === '' ? null : readOwnTracks(parseJson(body))
  if (report) await ingestReport(report)
}

/** Authenticates the phone and finds its tracker. Throws `invalid_device_key` or `unknown_tracker`. */
async function authenticatePhone(request: FastifyRequest, reply: FastifyReply, { name, key }: Credentials) {
  const { world } = request
  const speaker = await authenticateDeviceKey(request, reply, key)
  const tracker = await findReportingTracker(world.db.read, speaker, name)
  if (!tracker) throw new Failure('unknown_tracker')
  // A tracker_02 reports millivolts; a phone's percentage would look like an empty battery.
  const knowsPercent = tracker.type !== 'tracker_02'
  return ({ positions, battery }: Report) =>
    ingest(world, { positions, ...(knowsPercent && battery !== undefined && { battery }) }, tracker.id)
}

const bodyText = ({ body }: FastifyRequest) => (typeof body === 'string' ? body : '')

const isJson = (body: string) => /^\s*[[{]/.test(body)

/** Tells the body of Traccar Client 9 and later from OsmAnd parameters sent as JSON. */
const isTraccarBody = (json: object | undefined): json is object =>
  json !== undefined && ('device_id' in json || ('location' in json && typeof json.location === 'object'))

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    throw new Failure('malformed_json', {}, { cause: error })
  }
}

function parseObject(body: string): object {
  const json = parseJson(body)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new Failure('validation_error')
  return json
}

/** Keeps plain values as text; a parameter given twice is dropped. */
const plainTexts = (values: unknown): Parameters =>
  Object.fromEntries(
    Object.entries(values as object).flatMap(([name, value]) =>
      /string|number|boolean/.test(typeof value) ? [[name, String(value)]] : [],
    ),
  )

export type Credentials = { name?: string | undefined; key?: string | undefined }

const KEY = /^[0-9a-f]{40}$/

/** Reads the phone's credentials from any place an app can be configured to put them: header, `?key=`, or basic auth. */
function readCredentials({ headers, query }: FastifyRequest): Credentials {
  const own = headers['x-device-key']
  const { key } = query as { key?: unknown }
  const [name, password] = parseBasicAuth(headers.authorization)
  const secret = typeof own === 'string' ? own : typeof key === 'string' ? key : password
  return { name: name || undefined, key: secret }
}

/** With a key elsewhere `id` is the phone's name; otherwise it may itself be a tracker's key. */
const withDeviceId = (signature: Credentials, id: string | undefined): Credentials =>
  signature.key === undefined && id !== undefined && KEY.test(id) ? { key: id } : { ...signature, name: id ?? signature.name }

function parseBasicAuth(authorization = ''): string[] {
  const [, encoded] = /^Basic ([\w+/]+=*)$/i.exec(authorization) ?? []
  if (!encoded) return []
  const [name = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':')
  return [name, password.join(':')]
}

const Messages = z.array(z.looseObject({ _type: z.string() })).check(z.maxLength(1000))

const PositionFields = z.object({ lat: Latitude, lon: Longitude, tst: Timestamp, acc: lenient(z.number()) })
const BatteryField = z.object({ batt: lenient(z.number()) })

/**
 * Reads OwnTracks messages (docs/devices.md). Locations and transitions are positions; our own places decide what was entered. Null when no
 * message is relevant; the app only needs an acknowledgement then.
 */
export function readOwnTracks(body: unknown): Report | null {
  const messages = parseInput(Messages, Array.isArray(body) ? body : [body], 'validation_error')
  if (messages.some(({ _type }) => _type === 'encrypted'))
    throw invalidField('_type', 'Encrypted messages cannot be read here: remove the encryption key in the app')
  const located = messages.filter(({ _type }) => _type === 'location' || _type === 'transition')
  const last = located.at(-1)
  if (!last) return null
  const places = located.filter(({ _type, lat }) => _type === 'location' || lat !== undefined)
  return { positions: places.map(fixOf), battery: batteryPercent(parseInput(BatteryField, last, 'validation_error').batt) }
}

function fixOf(message: object): Fix {
  const { lat, lon, tst, acc } = parseInput(PositionFields, message, 'validation_error')
  return { lat, lng: lon, precision: fixPrecision(acc), datetime: tst }
}
