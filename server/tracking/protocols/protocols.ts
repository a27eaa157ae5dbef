import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticateDeviceKey } from '#server/http/access/device-access.ts'
import { Failure } from '#server/lib/errors.ts'
import { ingest } from '#server/tracking/ingest.ts'
import { type Credentials, readCredentials, withDeviceId } from './credentials.ts'
import { type Parameters, readOsmandForm, readTraccarJson } from './osmand.ts'
import { readOwnTracks } from './owntracks.ts'
import type { Report } from './report.ts'
import { findReportingTracker } from './reporting-tracker.store.ts'

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
