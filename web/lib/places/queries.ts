import { queryOptions } from '@tanstack/react-query'
import { calls } from './calls.ts'

/** Every place of the account, by name (E-40). */
export const placesQuery = () => queryOptions({ queryKey: ['places'], queryFn: ({ signal }) => calls.list({}, { signal }) })
