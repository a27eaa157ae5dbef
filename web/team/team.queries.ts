import { queryOptions } from '@tanstack/react-query'
import { calls } from './team.calls.ts'

/** Who works with the trackers of the account, by name (E-92). */
export const teamQuery = () => queryOptions({ queryKey: ['team'], queryFn: ({ signal }) => calls.list({}, { signal }) })
