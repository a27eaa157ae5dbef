import { queryOptions } from '@tanstack/react-query'
import { calls } from './calls.ts'

/** The tags that a tracker can carry. */
export const tagsQuery = () => queryOptions({ queryKey: ['tags'], queryFn: ({ signal }) => calls.tags({}, { signal }) })
