import { useQuery } from '@tanstack/react-query'
import { rights } from '#contracts/lib/rights.ts'
import { parseRole } from '#contracts/rules/user.ts'
import { sessionQuery } from './user.queries.ts'

/** Whether the signed-in role has a right. False until the role is known, so that nothing is offered and then withdrawn. */
export function useHasRight(right: keyof typeof rights) {
  const role = useQuery(sessionQuery()).data?.role
  return role !== undefined && rights[right].some((allowed) => allowed === parseRole(role))
}
