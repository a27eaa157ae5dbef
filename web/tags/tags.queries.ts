import { queryOptions } from '@tanstack/react-query'
import { calls } from './tags.calls.ts'

/** Sorted by name. */
export const tagsQuery = () => queryOptions({ queryKey: ['tags'], queryFn: ({ signal }) => calls.list({}, { signal }) })
