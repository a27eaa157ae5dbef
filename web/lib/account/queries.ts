import { queryOptions } from '@tanstack/react-query'
import { calls } from './calls.ts'

/** The signed-in person: address, whether it is confirmed, role (E-20). */
export const meQuery = () => queryOptions({ queryKey: ['me'], queryFn: ({ signal }) => calls.me({}, { signal }) })
