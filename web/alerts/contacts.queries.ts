import { queryOptions } from '@tanstack/react-query'
import { calls } from './contacts.calls.ts'

/** The contacts of the account, by name (E-51). */
export const contactsQuery = () => queryOptions({ queryKey: ['contacts'], queryFn: ({ signal }) => calls.list({}, { signal }) })
