import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SCENARIO_KEYS, type ScenarioKey } from '#contracts/mock/scenarios.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { networkKey } from '#server/http/access/limits.ts'
import { listCast } from '#server/mock/seed/scenarios/scenarios.ts'
import { addHandOff } from '#server/mock/sign-in/hand-off-address.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import { findPersonaUser } from '#server/mock/worlds/worlds.store.ts'
import type { Clock } from '#server/ports/clock.ts'
import { createRateLimit, MAX_LIFETIME_MS, type Room } from './limits.ts'
import type { Shares } from './shares.ts'
import { isOffered } from './steering.handlers.ts'
import type { Refusal, Visits } from './visits.ts'

type Parts = {
  visits: Visits
  shares: Shares
  lobby: MockWorld
  wall: Clock
  room: Room
  turnAway(request: FastifyRequest, reply: FastifyReply, refusal: TurnedAway): unknown
}
/** Why a visitor gets no world now, and after how many milliseconds to retry which path. `rate`: the address has created too many. */
export type TurnedAway = { full: Refusal['full'] | 'rate'; ms: number; again: string }
type EntryRequest = { scenario?: ScenarioKey; from?: { file: string }; as: string | null; to: string }

const START = '/demo'

/** Mounts the entrances to the demo: `?demo=<scenario>&as=<persona>` on any page, and the link of a shared copy. */
export function mountEntrances(app: FastifyInstance, { visits, shares, lobby, wall, room, turnAway }: Parts) {
  const secondsToWait = createRateLimit(room.rate, wall)

  app.addHook('onRequest', async (request, reply) => {
    if (!isPageRequest(request)) return
    const { pathname, searchParams } = parseUrl(request)
    const scenario = searchParams.get('demo')
    if (scenario === null) return request.world === lobby ? reply.redirect(START) : visits.use(request.world.id)
    const as = searchParams.get('as')
    for (const name of ['demo', 'as', 'token', 'hand_off']) searchParams.delete(name)
    if (!isScenario(scenario) || !hasPersona(scenario, as) || !isNavigation(request)) return reply.redirect(START)
    const rest = searchParams.size > 0 ? `?${searchParams}` : ''
    return enterWorld(request, reply, { scenario, as, to: localPath(`${pathname}${rest}`) })
  })

  app.get<{ Params: { id: string } }>('/demo/s/:id', async (request, reply) => {
    const from = shares.find(request.params.id)
    if (!from || !isNavigation(request)) return reply.redirect(START)
    const { searchParams } = parseUrl(request)
    return enterWorld(request, reply, { from, as: searchParams.get('as'), to: localPath(searchParams.get('to') ?? '/') })
  })

  /** A rejected visitor has not created a world, so this does not count towards the rate limit. */
  function findRefusal(address: string, instead: string | undefined): Omit<TurnedAway, 'again'> | undefined {
    const full = visits.findRefusal(address, instead)
    if (full) return full
    const seconds = secondsToWait(address)
    return seconds > 0 ? { full: 'rate', ms: seconds * 1000 } : undefined
  }

  /** Signs the visitor in to their world if it has the requested scenario, else to a new world that replaces it. */
  async function enterWorld(request: FastifyRequest, reply: FastifyReply, { to, as, ...wanted }: EntryRequest) {
    const mine = request.world === lobby ? undefined : visits.worlds.get(request.world.id)
    const goesOn = mine && wanted.scenario === mine.scenario
    const address = networkKey(request.ip)
    const refusal = goesOn ? undefined : findRefusal(address, mine?.id)
    if (refusal) return turnAway(request, reply, { ...refusal, again: localPath(request.url) })
    const world = goesOn ? mine : await visits.begin({ ...wanted, address, as, instead: mine?.id })
    visits.use(world.id)
    setWorldCookie(request, reply, world.id)
    const token = await signInPersona(world, as)
    reply.header('cache-control', 'no-store')
    if (!token) return reply.redirect(START)
    const { pathname, search } = await addHandOff(world, token, to)
    return reply.redirect(pathname + search)
  }
}

const hasPersona = (scenario: ScenarioKey, persona: string | null) =>
  persona === null || listCast(scenario).some(({ key }) => key === persona)

/** Signs the persona in; undefined when the persona no longer exists in the world. */
async function signInPersona(world: MockWorld, persona: string | null) {
  const cast = listCast(world.scenario)
  const wanted = persona === null ? cast[0] : cast.find(({ key }) => key === persona)
  const found = wanted && (await findPersonaUser(world.db.read, wanted.id))
  return found && signInAs(world, found.user.email)
}

function setWorldCookie(request: FastifyRequest, reply: FastifyReply, id: string) {
  const secure = request.protocol === 'https'
  reply.setCookie('__world', id, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: MAX_LIFETIME_MS / 1000 })
}

/** The portal's page is served for every unknown path. Requests by scripts (`empty`) are not page loads. */
const isPageRequest = ({ method, is404, url, headers }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') &&
  (is404 || url.startsWith('/index.html')) &&
  !isFilePath(url) &&
  headers['sec-fetch-dest'] !== 'empty'

const isFilePath = (url: string) => /^\/(assets|mock|demo)\//.test(url)

/** Only navigations create worlds, not images or frames on other sites. */
const isNavigation = ({ headers }: FastifyRequest) => ['document', undefined].includes(headers['sec-fetch-dest'] as string | undefined)

const parseUrl = ({ url }: FastifyRequest) => new URL(`http://demo.invalid${url.startsWith('/') ? url : `/${url}`}`)

/** Strips the origin, so that a link cannot redirect to another site. */
function localPath(path: string) {
  const { origin, pathname, search } = new URL(path, 'http://demo.invalid')
  return origin === 'http://demo.invalid' ? pathname.replace(/^\/+/, '/') + search : '/'
}

const isScenario = (name: string): name is ScenarioKey => isOffered(name) && SCENARIO_KEYS.some((key) => key === name)
