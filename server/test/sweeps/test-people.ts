import type { Role } from '#contracts/lib/constants.ts'
import type { Route } from '#contracts/lib/route.ts'
import { endpoints, type NamedEndpoint } from '#server/test/examples/all.ts'

/** E-mail of a seeded person of each role. */
export const PERSON: Record<Role, string> = {
  user: 'alice@example.com',
  pro: 'member@pro.example.com',
  admin: 'admin@pro.example.com',
  deepsupport: 'support@example.com',
}

export type SignedInEndpoint = NamedEndpoint & { route: Route & { access: readonly Role[] } }

/** The endpoints that need a session. */
export const signedIn = endpoints.filter((each): each is SignedInEndpoint => Array.isArray(each.route.access))

export const endpointName = ({ name }: NamedEndpoint) => name

/** A role that may use the endpoint; null for endpoints without a session. */
export const firstRole = ({ access }: Route) => (Array.isArray(access) ? (access[0] as Role) : null)

/** The path with ids that do not exist. */
export const pathWithUnknownIds = (route: Route) => route.path.replace(/:\w+/g, '987654321')
