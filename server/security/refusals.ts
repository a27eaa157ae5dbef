import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorCode } from '#contracts/lib/errors.ts'
import { API_TOKEN_PREFIX } from '#contracts/lib/scopes.ts'
import type { SecurityKind } from '#contracts/lib/security-kinds.ts'
import { HOUR_MS } from '#contracts/rules/time.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { SignedIn } from '#db/scope.ts'
import { RequestCaller } from '#server/http/access/caller.ts'
import { count, type REFUSAL_REASONS } from '#server/lib/counts.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { World } from '#server/ports/world.ts'
import { findEndedLink, findEndedToken } from './security.store.ts'
import { recordEndedUse, recordOncePerHour } from './security-log.ts'

const KINDS: Partial<Record<ErrorCode, SecurityKind>> = {
  permission_denied: 'permission_refused',
  csrf_failed: 'permission_refused',
  sign_in_again: 'call_refused',
  limit_reached: 'limit_reached',
  throttled: 'limit_reached',
  account_busy: 'limit_reached',
  upload_limit: 'limit_reached',
}

type Reason = (typeof REFUSAL_REASONS)[number]

const REASONS: Partial<Record<ErrorCode, Reason>> = {
  permission_denied: 'permission',
  csrf_failed: 'csrf',
  sign_in_again: 'old_sign_in',
  limit_reached: 'limit',
  throttled: 'limit',
  account_busy: 'limit',
  upload_limit: 'limit',
  not_authenticated: 'session',
  invalid_credentials: 'sign_in',
  invalid_code: 'sign_in',
  invalid_device_key: 'device_key',
  invalid_link: 'link',
  invalid_key: 'mail_key',
  expired: 'expired',
  bad_signature: 'signature',
  validation_error: 'input',
  malformed_json: 'input',
  too_large: 'input',
  unsupported_media_type: 'input',
}

/**
 * Admits each key once an hour, and at most `most` keys in an hour, so that a flood of rejected calls fills neither memory nor a log. A
 * clock that is set back begins a new hour.
 */
class HourlySample {
  readonly #keys = new Set<string>()
  readonly #most: number
  #began = Number.NEGATIVE_INFINITY

  constructor(most: number) {
    this.#most = most
  }

  take(key: string, now: Date) {
    const age = now.getTime() - this.#began
    if (age < 0 || age >= HOUR_MS) {
      this.#keys.clear()
      this.#began = now.getTime()
    }
    if (this.#keys.has(key) || this.#keys.size >= this.#most) return false
    this.#keys.add(key)
    return true
  }

  /** Admits the key again, because its first use failed. */
  forget(key: string) {
    this.#keys.delete(key)
  }
}

/** Lines per hour, after which rejected calls are only counted. */
const MOST_LINES = 1000
const MOST_ROWS = 10_000

/** What this server has recorded of a world in this hour: rows of signed-in users, lines of its own log, and uses of ended links and tokens. */
type Samples = Record<'rows' | 'lines' | 'ended', HourlySample>
const samples = new WeakMap<World, Samples>()

function samplesOf(world: World) {
  const known = samples.get(world)
  if (known) return known
  const created: Samples = { rows: new HourlySample(MOST_ROWS), lines: new HourlySample(MOST_LINES), ended: new HourlySample(MOST_ROWS) }
  samples.set(world, created)
  return created
}

/**
 * Records rejected calls before the response is sent, once an hour for each source. Those of signed-in users and API tokens go to the
 * security log of the account. Others have no account, so they go to the server's own log, unless they name an expired link or token of an
 * account. A rejection that cannot be recorded is sent all the same.
 */
export function registerRefusals(app: FastifyInstance) {
  app.decorateRequest('refusedWith', null)
  app.addHook('onSend', (request, _reply, _payload, done) => {
    const { viewer, refusedWith, world } = request
    const reason = refusedWith && REASONS[refusedWith]
    if (!reason || !world) return done()
    count(world.db, 'calls_refused_total', { reason })
    const kind = KINDS[refusedWith]
    if (viewer && kind) return void recordRefusal(request, viewer, kind).then(() => done())
    logRefusal(request, reason)
    if (reason !== 'session' && reason !== 'link') return done()
    recordEnded(request, reason).then(() => done())
  })
}

const describeCall = ({ method, routeOptions: { config, url = '' } }: FastifyRequest) => `${method} ${config?.route?.path ?? url}`.trim()

async function recordRefusal(request: FastifyRequest, viewer: SignedIn, kind: SecurityKind) {
  const { world } = request
  const { userId, accountId } = viewer
  const caller = new RequestCaller(request)
  const key = `${userId} ${kind} ${caller.network}`
  const event = { kind, userId, about: describeCall(request) }
  await recordSampled(world, { sample: 'rows', key }, () =>
    writeDevices(world.db, [`account:${accountId}`], (tx) => recordOncePerHour(tx, { ...world, viewer, caller }, event)),
  )
}

function logRefusal(request: FastifyRequest, reason: Reason) {
  const { world, viewer } = request
  const { network } = new RequestCaller(request)
  const who = viewer && { account: viewer.accountId, user: viewer.userId }
  if (!samplesOf(world).lines.take(`${reason} ${network} ${viewer?.userId ?? ''}`, world.clock.now())) return
  world.log.info({ security: 'call_refused', reason, call: describeCall(request), network, ...who }, 'security event')
}

/** Records for an account that its expired link or API token is still in use. */
async function recordEnded(request: FastifyRequest, reason: 'session' | 'link') {
  const { world } = request
  try {
    const ended = await (reason === 'link' ? findLink(request) : findToken(request))
    if (!ended) return
    const caller = new RequestCaller(request)
    const key = `${ended.accountId} ${ended.userId} ${ended.about}`
    await recordSampled(world, { sample: 'ended', key }, () =>
      writeDevices(world.db, [`account:${ended.accountId}`], (tx) => recordEndedUse(tx, { ...world, caller }, ended)),
    )
  } catch (error) {
    world.log.warn({ err: error }, 'the use of an ended link or token was not recorded')
  }
}

const UUID = /^[0-9a-f-]{36}$/

async function findLink({ world, params }: FastifyRequest) {
  const { uuid = '' } = params as { uuid?: string }
  return UUID.test(uuid) ? findEndedLink(world.db.read, uuid) : undefined
}

async function findToken({ world, headers }: FastifyRequest) {
  const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return token?.startsWith(API_TOKEN_PREFIX) ? findEndedToken(world.db.read, sha256(token), world.clock.now()) : undefined
}

async function recordSampled(world: World, { sample, key }: { sample: 'rows' | 'ended'; key: string }, record: () => Promise<unknown>) {
  const { [sample]: taken } = samplesOf(world)
  if (!taken.take(key, world.clock.now())) return
  await record().catch((error) => {
    taken.forget(key)
    world.log.warn({ err: error }, 'a refused call was not recorded')
  })
}
