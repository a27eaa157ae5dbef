import type { Role } from '#contracts/lib/constants.ts'
import type { Route } from '#contracts/lib/route.ts'
import { type NamedRoute, routes } from '#server/test/examples/all.ts'

/** A seeded person of each role. */
export const PERSON: Record<Role, string> = {
  user: 'alice@example.com',
  pro: 'member@pro.example.com',
  admin: 'admin@pro.example.com',
  deepsupport: 'support@example.com',
}

export type SignedInRoute = NamedRoute & { route: Route & { access: readonly Role[] } }

/** The calls that need a session. */
export const signedIn = routes.filter((each): each is SignedInRoute => Array.isArray(each.route.access))

/** A path with ids of nothing and nobody. */
export const strayPath = (route: Route) => route.path.replace(/:\w+/g, '987654321')
