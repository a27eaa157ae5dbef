import type { FastifyInstance, FastifyReply } from 'fastify'
import { isSafePath } from '#contracts/rules/navigation.ts'
import type { WorldOrigins } from './world-origins.ts'
import { ENTRY_PATH } from './worlds.ts'

type Visit = { Querystring: { to?: string } }

/** An arbitrary base URL against which a path is resolved. */
const BASE = 'http://portal.invalid'

/**
 * `GET /mock/enter/<id>?to=/places` makes a browser use a world by a cookie and opens a page of it. So phones, containers and browsers in a
 * grid need no host name for each world. A host name that itself names a world redirects to the world's own origin instead.
 */
export function addEntryLinks(app: FastifyInstance, origins: WorldOrigins) {
  app.get<Visit>(`${ENTRY_PATH}:id`, async ({ world, query, hostname, protocol }, reply) => {
    const path = readPath(query.to)
    if (origins.readId(hostname) !== undefined) return leave(reply, `${world.origin}${path}`)
    return leave(reply.setCookie('__world', world.id, { path: '/', httpOnly: true, sameSite: 'lax', secure: protocol === 'https' }), path)
  })
}

const leave = (reply: FastifyReply, to: string) => reply.header('cache-control', 'no-store').redirect(to, 302)

/** A path of the portal; anything that would lead to another site becomes `/`. */
function readPath(to = '/') {
  if (!isSafePath(to)) return '/'
  const { pathname, search, hash } = new URL(to, BASE)
  return `${pathname}${search}${hash}`
}
