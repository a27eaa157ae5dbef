import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MESSAGE_MAX_POSITIONS } from '#contracts/positions.ts'
import { isDeviceKey, normalizeDeviceKey } from '#contracts/rules/reading/text.ts'
import type { KeyMessageReason, KeyProtocol } from '#contracts/trackers/device-keys.ts'
import { findDeviceKey } from '#db/sessions.ts'
import { authenticateDeviceKey } from '#server/http/access/device-access.ts'
import { Failure } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { World } from '#server/ports/world.ts'
import { recordKeyMessage } from '#server/trackers/keys/key-messages.ts'
import { findReportingTracker } from '#server/tracking/history/positions.store.ts'
import { ingest } from '#server/tracking/ingest/ingest.ts'
import { countReported } from '#server/tracking/ingest/report-limit.ts'
import { assertOsmandNames, isTraccarBody, type Parameters, readOsmandForms, readTraccarJson } from './osmand.ts'
import { readOverland } from './overland.ts'
import { readOwnTracks } from './owntracks.ts'
import { type Report, refusalReason, unknownFormat } from './report.ts'

/** Overland sends up to 1,000 positions at once, at about 600 bytes each. */
const BATCH_LIMIT = 1024 * 1024

/** Endpoints for phone apps, in the formats of those apps (docs/devices.md); all end in `ingest`. */
export function registerPhoneRoutes(app: FastifyInstance) {
  registerRefusedMessages(app)
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
        await takeOsmand(request, reply)
        return reply.send()
      },
    })
    phones.post('/ingest/owntracks', async (request, reply) => {
      await takeReport(request, reply, { protocol: 'owntracks', credentials: readCredentials(request), read: readOwnTracksBody })
      return []
    })
    phones.post('/ingest/overland', { bodyLimit: BATCH_LIMIT }, async (request, reply) => {
      await takeOverland(request, reply)
      return { result: 'ok' }
    })
  })
}

async function takeOsmand(request: FastifyRequest, reply: FastifyReply) {
  const body = bodyText(request)
  const query = plainTexts(request.query)
  const json = isJson(body) ? tryParse(body) : null
  const forms = json ? listObjects(json.value).map(plainTexts) : [Object.fromEntries(new URLSearchParams(body))]
  const { device_id, id, deviceid } = { ...query, ...forms[0] }
  const read = () => readOsmandBody(body, query, request.world.clock.now())
  await takeReport(request, reply, {
    protocol: 'osmand',
    credentials: withDeviceId(readCredentials(request), device_id ?? id ?? deviceid),
    read,
  })
}

function readOsmandBody(body: string, query: Parameters, now: Date): Report {
  if (!isJson(body)) {
    const form: Parameters = Object.fromEntries(new URLSearchParams(body))
    if (body.trim() !== '') assertOsmandNames(form)
    return readOsmandForms([{ ...query, ...form }], now)
  }
  const json = parseJson(body)
  if (!Array.isArray(json) && isTraccarBody(listObjects(json)[0] ?? {})) return readTraccarJson(json as object, now)
  const objects = listObjects(json)
  if (objects.length === 0) throw unknownFormat('Expected an object, or an array of objects')
  const forms = objects.map(plainTexts)
  for (const form of forms) assertOsmandNames(form)
  if (new Set(forms.map(({ id }) => id)).size > 1) throw unknownFormat('Expected the positions of one device')
  return readOsmandForms(
    forms.map((form) => ({ ...query, ...form })),
    now,
  )
}

async function takeOverland(request: FastifyRequest, reply: FastifyReply) {
  const body = bodyText(request)
  const credentials = readCredentials(request)
  const { device_id } = plainTexts(request.query)
  const now = request.world.clock.now()
  const named = () => tryRead(() => readOverland(JSON.parse(body), now).device)
  await takeReport(request, reply, {
    protocol: 'overland',
    credentials: { ...credentials, name: device_id ?? credentials.name ?? named() },
    read: () => readOverland(parseJson(body), now),
  })
}

const readOwnTracksBody = (request: FastifyRequest) => {
  const body = bodyText(request)
  return body.trim() === '' ? null : readOwnTracks(parseJson(body), request.world.clock.now())
}

type ReportEndpoint = {
  protocol: KeyProtocol
  credentials: Credentials
  /** Null for a message without an effect. Throws the reason why the message is rejected. */
  read: (request: FastifyRequest) => Report | null
}

/** Authenticates the phone, reads its message, ingests it, and records the outcome for the owner of the key. */
async function takeReport(request: FastifyRequest, reply: FastifyReply, { protocol, credentials, read }: ReportEndpoint) {
  const { world } = request
  const deviceKey = await authenticateDeviceKey(request, reply, credentials.key)
  const isName = !credentials.name?.includes('\0')
  const tracker = isName && (await findReportingTracker(world.db.read, deviceKey, credentials.name))
  if (!tracker) throw new Failure('unknown_tracker')
  const message = { keyId: deviceKey.keyId, deviceId: tracker.id, protocol }
  try {
    const report = read(request)
    const isOwn = deviceKey.deviceId !== null
    if (report && isOwn) await countReported(world, tracker.id, report.positions.length)
    const refused = report && (await ingestReport(world, { ...tracker, isOwn }, report))
    const reason = report?.leftOut ?? refused ?? null
    await recordKeyMessage(world, { ...message, outcome: 'read', reason, positions: report?.positions.length ?? 0 })
  } catch (error) {
    const reason = refusalReason(error)
    if (reason) await recordKeyMessage(world, { ...message, outcome: 'refused', reason, positions: 0 })
    throw error
  }
}

/** Ingests the positions in messages of the size that devices may send. Returns why positions were rejected, if any were. */
async function ingestReport(
  world: World,
  { id, type, isOwn }: { id: number; type: string; isOwn: boolean },
  { positions, battery, presses = [], withoutFix = 0 }: Report,
) {
  // A tracker_02 reports millivolts; a phone's percentage would look like an empty battery.
  const level = type !== 'tracker_02' && battery !== undefined ? { battery } : {}
  let reason: 'in_the_future' | 'too_old' | undefined
  for (let first = 0; first === 0 || first < positions.length; first += MESSAGE_MAX_POSITIONS) {
    const part = positions.slice(first, first + MESSAGE_MAX_POSITIONS)
    const extras = first === 0 ? { presses, withoutFix } : { presses: [] }
    const { refused } = await ingest(world, { positions: part, ...level, isOwn, ...extras }, id)
    reason ??= refused?.[0]?.reason
  }
  return reason
}

/** Without the byte order mark that some clients send before a UTF-8 text. */
const bodyText = ({ body }: FastifyRequest) => (typeof body === 'string' ? body.replace(/^\uFEFF/, '') : '')

const isJson = (body: string) => /^\s*[[{]/.test(body)

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    throw new Failure('malformed_json', {}, { cause: error })
  }
}

function tryRead<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const tryParse = (body: string) => ({ value: tryRead<unknown>(() => JSON.parse(body)) })

/** The object, or the objects of an array; empty for anything else. */
function listObjects(json: unknown): object[] {
  const items: unknown[] = Array.isArray(json) ? json : [json]
  const objects = items.filter((item): item is object => typeof item === 'object' && item !== null && !Array.isArray(item))
  return objects.length === items.length ? objects : []
}

/** Converts plain values to text, and alarms to a list of them; any other parameter given twice is dropped. */
const plainTexts = (values: unknown): Parameters =>
  Object.fromEntries(
    Object.entries(values as object).flatMap(([name, value]) => {
      if (/string|number|boolean/.test(typeof value)) return [[name, String(value)]]
      return ALARMS.test(name) ? [[name, listWords(value).join(',')]] : []
    }),
  )

const ALARMS = /^(alarm|alert|event)/i

/** The plain values in a list, and in the objects of a list. */
const listWords = (value: unknown, depth = 0): string[] =>
  typeof value !== 'object' || value === null
    ? [String(value)]
    : depth < 2
      ? Object.values(value).flatMap((inner) => listWords(inner, depth + 1))
      : []

const PROTOCOLS = { '/ingest/osmand': 'osmand', '/ingest/owntracks': 'owntracks', '/ingest/overland': 'overland' } as const

/** Records messages rejected before their handler runs: those of our own protocol, and bodies that are too large. */
const registerRefusedMessages = (app: FastifyInstance) =>
  app.addHook('onError', async (request, _, error) => {
    const isTooLarge = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    const isNoJson = error instanceof SyntaxError || error.code === 'FST_ERR_CTP_INVALID_JSON_BODY'
    const reason: KeyMessageReason | null = isTooLarge ? 'too_large' : isNoJson ? 'malformed' : refusalReason(error)
    const isOurs = request.deviceKey !== null
    if (!reason || !(isOurs || isTooLarge)) return
    const protocol = isOurs ? 'json' : findProtocol(request)
    const deviceKey = request.deviceKey ?? (protocol ? await readDeviceKey(request) : undefined)
    if (!protocol || !deviceKey || deviceKey.deviceId === null) return
    const { keyId, deviceId } = deviceKey
    await recordKeyMessage(request.world, { keyId, deviceId, protocol, outcome: 'refused', reason, positions: 0 })
  })

const findProtocol = ({ routeOptions: { url = '' } }: FastifyRequest) => Object.entries(PROTOCOLS).find(([path]) => path === url)?.[1]

function readDeviceKey(request: FastifyRequest) {
  const { id } = request.query as { id?: unknown }
  const { key } = withDeviceId(readCredentials(request), typeof id === 'string' ? id : undefined)
  return key ? findDeviceKey(request.world.db.read, sha256(key)) : undefined
}

type Credentials = { name?: string | undefined; key?: string | undefined }

/**
 * Reads the phone's credentials from any place where an app can be configured to send them: header, `?key=`, bearer token, or basic auth.
 */
function readCredentials({ headers, query }: FastifyRequest): Credentials {
  const own = headers['x-device-key']
  const { key } = query as { key?: unknown }
  const [name, password] = parseBasicAuth(headers.authorization)
  const secret = typeof own === 'string' ? own : typeof key === 'string' ? key : (parseBearer(headers.authorization) ?? password)
  return { name: name || undefined, key: secret }
}

/**
 * If there is a key elsewhere, `id` is the phone's name; otherwise it may itself be a tracker's key, pasted with a space or in capitals.
 */
function withDeviceId(credentials: Credentials, id: string | undefined): Credentials {
  const key = normalizeDeviceKey(id ?? '')
  return credentials.key === undefined && isDeviceKey(key) ? { key } : { ...credentials, name: id ?? credentials.name }
}

const parseBearer = (authorization = '') => /^Bearer +(\S+)$/i.exec(authorization)?.[1]

function parseBasicAuth(authorization = ''): string[] {
  const [, encoded] = /^Basic ([\w+/]+=*)$/i.exec(authorization) ?? []
  if (!encoded) return []
  const [name = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':')
  return [name, password.join(':')]
}
