import { queryOptions } from '@tanstack/react-query'
import { calls } from './tags.calls.ts'

/** The tags of the account, by name (E-55). */
export const tagsQuery = () => queryOptions({ queryKey: ['tags'], queryFn: ({ signal }) => calls.list({}, { signal }) })
