import { queryOptions } from '@tanstack/react-query'
import { calls } from './contacts.calls.ts'

/** Sorted by name. */
export const contactsQuery = () => queryOptions({ queryKey: ['contacts'], queryFn: ({ signal }) => calls.list({}, { signal }) })
