import type { FastifyInstance } from 'fastify'
import type { World } from '#server/ports/world.ts'
import type { MockWorlds } from './worlds.ts'

const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]']

/**
 * Makes payments return to the host name (localhost, 127.0.0.1 or [::1]) under which the local stack was opened, because the browser stores
 * the session per host name.
 */
export function followHostName(app: FastifyInstance, worlds: MockWorlds) {
  app.addHook('onRequest', ({ world, hostname, host }, _, done) => {
    if (!world.origin.endsWith(`//${host}`)) follow(world, hostname, host)
    done()
  })

  function follow({ id, origin }: World, hostname: string, host: string) {
    const known = new URL(origin)
    const isSame = host === known.host || !LOCAL_NAMES.includes(hostname) || !LOCAL_NAMES.includes(known.hostname)
    if (isSame || host !== `${hostname}:${known.port}`) return
    worlds.get(id)?.setOrigin(`${known.protocol}//${host}`)
  }
}
