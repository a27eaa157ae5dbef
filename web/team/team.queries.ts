import { queryOptions } from '@tanstack/react-query'
import { calls } from './team.calls.ts'

/** Sorted by name. */
export const teamQuery = () => queryOptions({ queryKey: ['team'], queryFn: ({ signal }) => calls.list({}, { signal }) })
