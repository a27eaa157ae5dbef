import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { findProgramFile } from '#db/program-files.ts'
import { findViewer } from '#db/scope.ts'
import { computeEtag, sendNotModified } from '#server/http/encoding/etag.ts'
import { Failure } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { readNewestMailId } from '#server/mock/events/events.store.ts'
import { preferredLanguage, sendPage } from '#server/mock/lib/html-page.ts'
import { STAFF } from '#server/mock/seed/records/personas.ts'
import { listCast } from '#server/mock/seed/scenarios/scenarios.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import type { Clock } from '#server/ports/clock.ts'
import type { TurnedAway } from './enter.ts'
import { getDemoWords, renderStartPage, startPageCss } from './start-page.ts'
import type { Visits } from './visits.ts'

/** The start page needs a stylesheet and images, but no scripts. */
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const BAR = findProgramFile('dist/demo/bar.js')
const ROBOTS = 'User-agent: *\nDisallow: /\n'

type Parts = { visits: Visits; lobby: MockWorld; productName: string; wall: Clock }

export function mountDemoRoutes(app: FastifyInstance, { visits, lobby, productName, wall }: Parts) {
  const getWorld = ({ world }: FastifyRequest) => {
    const mine = world === lobby ? undefined : visits.worlds.get(world.id)
    if (!mine) throw new Failure('unknown_world')
    return mine
  }
  const findEnd = (world: MockWorld) => visits.worlds.expiryOf(world.id)!

  app.get('/robots.txt', async (_, reply) => reply.type('text/plain; charset=utf-8').send(ROBOTS))
  app.get('/demo', (request, reply) => sendStartPage(request, reply))
  app.get('/demo/style.css', (request, reply) => sendFile(request, reply, 'text/css; charset=utf-8', startPageCss))
  app.get('/demo/bar.js', async (request, reply) => sendFile(request, reply, 'text/javascript; charset=utf-8', await readFile(BAR, 'utf8')))
  app.get<{ Params: { file: string } }>('/demo/words/:file', async ({ params }, reply) => {
    const language = LANGUAGES.find((known) => `${known}.json` === params.file)
    if (!language) throw new Failure('not_found')
    return reply.header('cache-control', 'no-cache').send({ bar: getDemoWords(language).bar })
  })

  app.get('/demo/world', async (request, reply) => {
    const world = getWorld(request)
    visits.see(world.id)
    const cast = listCast(world.scenario)
    const id = await findUserId(request)
    reply.header('cache-control', 'no-store')
    return {
      scenario: world.scenario,
      now: formatInstant(wall.now()),
      ends_at: formatInstant(findEnd(world)),
      newest_mail: readNewestMailId(world.db.read),
      persona: cast.find((one) => one.id === id)?.key ?? null,
      personas: cast.map(({ key, firstName, lastName, email }) => ({ key, name: `${firstName} ${lastName}`, email })),
      staff: STAFF.map(({ key, name, email }) => ({ key, name, email })),
    }
  })

  function sendStartPage(request: FastifyRequest, reply: FastifyReply, turnedAway?: TurnedAway) {
    const mine = request.world === lobby ? undefined : visits.worlds.get(request.world.id)
    const left = mine && findEnd(mine).getTime() - wall.now().getTime()
    const ended = mine || turnedAway ? undefined : visits.findEnded(request.cookies.__world)
    const view = { language: preferredLanguage(request), productName, left, ended, turnedAway }
    return sendPage(reply, renderStartPage(view), POLICY)
  }
  function turnAway(request: FastifyRequest, reply: FastifyReply, turnedAway: TurnedAway) {
    reply.code(turnedAway.full === 'demo' ? 503 : 429).header('retry-after', String(Math.ceil(turnedAway.ms / 1000)))
    return sendStartPage(request, reply, turnedAway)
  }
  return { turnAway }
}

async function findUserId({ headers, world: { db, clock } }: FastifyRequest) {
  const token = /^Bearer (\w+)$/.exec(headers.authorization ?? '')?.[1]
  return token && (await findViewer(db.read, sha256(token), clock.now()))?.userId
}

function sendFile({ headers }: FastifyRequest, reply: FastifyReply, type: string, content: string) {
  reply.header('cache-control', 'no-cache')
  return sendNotModified(reply, computeEtag(content), headers['if-none-match']) ? reply : reply.type(type).send(content)
}
