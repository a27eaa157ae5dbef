import { afterAll, beforeAll } from 'vitest'
import type { Role } from '#contracts/lib/rights.ts'
import type { Route } from '#contracts/lib/route.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { endpoints, type NamedEndpoint } from '#server/test/examples/all.ts'
import { startPortal } from '#server/test/start-portal.ts'

/** E-mail of a seeded person of each role. */
export const PERSON: Record<Role, string> = {
  user: 'alice@example.com',
  pro: 'member@pro.example.com',
  admin: 'admin@pro.example.com',
  deepsupport: 'support@example.com',
}

export type SignedInEndpoint = NamedEndpoint & { route: Route & { access: readonly Role[] } }

export const signedIn = endpoints.filter((each): each is SignedInEndpoint => Array.isArray(each.route.access))

export const endpointName = ({ name }: NamedEndpoint) => name

/** A role that may use the endpoint; null for endpoints without a session. */
export const firstRole = ({ access }: Route) => (Array.isArray(access) ? (access[0] as Role) : null)

/** The path with ids that do not exist. */
export const pathWithUnknownIds = (route: Route) => route.path.replace(/:\w+/g, '987654321')

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
    /** Creates a separate world and signs a user in to it. */
    async fresh(email: string) {
      const world = await portal.worlds.create({ id: `s${count++}`, seed: 1 })
      const headers = { authorization: `Bearer ${await signInAs(world, email)}`, 'x-world': world.id }
      return { world, headers, [Symbol.dispose]: () => world.close() }
    },
  }
}
