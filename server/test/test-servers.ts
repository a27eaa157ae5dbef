import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { recordAsStart } from '#scripts/test/changed/calls.ts'
import { buildApp } from '#server/app.ts'
import type { City } from '#server/mock/city/index.ts'
import { createControlPlane } from '#server/mock/control/control.ts'
import type { Snapshots } from '#server/mock/worlds/snapshots.store.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'

type Parts = { worlds: MockWorlds; snapshots: Snapshots; city: City }

/** A built server, whose requests reach the worlds of the test that uses it. */
type Server = {
  app: FastifyInstance
  parts: Parts
  /** Whether the test did more than send requests that leave no state in the server. */
  isUsedUp: boolean
}

/** Unused servers. */
const free: Server[] = []

/** Pages and calls that continue after their response, or whose results the server saves. */
const LEAVES_SOMETHING = /^\/(stripe|v1|metrics|readyz|pub|mock\/(stripe|payments))\b/

/** Turns of the event loop in which requests still open at the end of their test may end; one delayed by a fault does not. */
const MAX_TURNS = 50

/** Reads each property from the object that `current` returns at that moment. */
const follow = <T extends object>(current: () => T) =>
  new Proxy({} as T, {
    get(_, name) {
      const value: unknown = Reflect.get(current(), name)
      return typeof value === 'function' ? value.bind(current()) : value
    },
  })

async function build(parts: Parts, extend: (app: FastifyInstance) => void): Promise<Server> {
  const server = { parts, isUsedUp: false }
  const worlds = follow(() => server.parts.worlds)
  const app = await buildApp({
    worlds,
    rateLimits: false,
    async extend(app) {
      app.addHook('onRequest', (request, _, done) => {
        if (LEAVES_SOMETHING.test(request.url)) server.isUsedUp = true
        done()
      })
      extend(app)
      await createControlPlane({ worlds, snapshots: follow(() => server.parts.snapshots), city: parts.city })(app)
    },
  })
  await app.ready()
  return Object.assign(server, { app })
}

/**
 * Lends a server to a test. Building one takes most of the time of a short test, so one that only received requests serves the next test,
 * with worlds of its own; every other is closed. Event streams end with their test. After the return a request is rejected, so that none
 * reaches the worlds of another test.
 */
export async function borrowServer(parts: Parts, extend: (app: FastifyInstance) => void) {
  const server = free.pop() ?? (await recordAsStart(() => build(parts, extend)))
  server.parts = parts
  let isReturned = false
  let open = 0
  const inject = async (request: InjectOptions | string) => {
    if (isReturned) throw new Error('The server of this test is closed.')
    if (typeof request === 'object' && request.payloadAsStream) server.isUsedUp = true
    open++
    try {
      return await server.app.inject(request as InjectOptions)
    } finally {
      open--
    }
  }
  const close = async () => {
    if (isReturned) return
    isReturned = true
    for (let turn = 0; ; turn++) {
      for (const stream of server.app.openStreams) stream.end()
      if (open === 0 || server.isUsedUp || turn === MAX_TURNS) break
      await setImmediate()
    }
    if (server.isUsedUp || open > 0) await server.app.close()
    else free.push(server)
  }
  const app = new Proxy(server.app, {
    get(_, name) {
      if (name === 'close') return close
      if (name === 'inject') return inject
      return use(name)
    },
    set(_, name, value) {
      use(name)
      return Reflect.set(server.app, name, value)
    },
  })
  const use = (name: string | symbol) => {
    // A promise checks whether the resolved server has `then`.
    if (name !== 'then') server.isUsedUp = true
    const value: unknown = Reflect.get(server.app, name)
    return (typeof value === 'function' ? value.bind(server.app) : value) as never
  }
  return app
}
