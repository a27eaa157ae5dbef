import { afterAll, beforeAll } from 'vitest'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'

/** One server for all tests of a file: a sweep asks much and builds nothing. */
export function onePortal() {
  let portal: Awaited<ReturnType<typeof startPortal>>
  beforeAll(async () => {
    portal = await startPortal({ limits: { credentials: false } })
  })
  afterAll(() => portal[Symbol.asyncDispose]())
  let count = 0
  return {
    /** A call in the world that all tests share; for what changes nothing. */
    call: (...args: Parameters<typeof portal.call>) => portal.call(...args),
    /** A call with a session of that person's in it. */
    token: (email: string) => portal.token(email),
    /** A world of a test's own, and a person's way into it. */
    async fresh(email: string) {
      const world = await portal.worlds.create({ id: `s${count++}`, seed: 1 })
      const headers = { authorization: `Bearer ${await signInAs(world, email)}`, 'x-world': world.id }
      return { world, headers, [Symbol.dispose]: () => world.close() }
    },
  }
}
