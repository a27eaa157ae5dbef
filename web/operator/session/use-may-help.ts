import { useSuspenseQuery } from '@tanstack/react-query'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { sessionQuery } from './session.queries.ts'
import { isSignedIn } from './session-state.ts'

/** Whether the signed-in member may help customers, and not only read. */
export function useMayHelp() {
  const { data } = useSuspenseQuery(sessionQuery())
  return isSignedIn(data) && staffRights.helpCustomers.some((role) => role === data.staff.role)
}
