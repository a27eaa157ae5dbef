import { afterAll, beforeAll } from 'vitest'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'

/** One server for all tests of a file. */
export function sharedPortal() {
  let portal: Awaited<ReturnType<typeof startPortal>>
  beforeAll(async () => {
    portal = await startPortal({ limits: { credentials: false } })
  })
  afterAll(() => portal[Symbol.asyncDispose]())
  let count = 0
  return {
    /** Sends a request to the shared world; only for requests that change nothing. */
    call: (...args: Parameters<typeof portal.call>) => portal.call(...args),
    token: (email: string) => portal.token(email),
    /** Creates a separate world and signs a person in to it. */
    async fresh(email: string) {
      const world = await portal.worlds.create({ id: `s${count++}`, seed: 1 })
      const headers = { authorization: `Bearer ${await signInAs(world, email)}`, 'x-world': world.id }
      return { world, headers, [Symbol.dispose]: () => world.close() }
    },
  }
}
