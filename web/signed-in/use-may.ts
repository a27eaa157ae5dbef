import { useQuery } from '@tanstack/react-query'
import { rights } from '#contracts/lib/rights.ts'
import { roleOf } from '#contracts/rules/role.ts'
import { accountQuery } from '#web/trackers/trackers.queries.ts'

/** Whether the signed-in role has a right. False until the role is known, so that nothing is offered and then withdrawn. */
export function useMay(right: keyof typeof rights) {
  const role = useQuery(accountQuery()).data?.role
  return role !== undefined && rights[right].some((allowed) => allowed === roleOf(role))
}
