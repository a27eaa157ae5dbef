import { queryOptions } from '@tanstack/react-query'
import { calls } from './account.calls.ts'

/** The signed-in person: address, whether it is confirmed, role (E-20). */
export const meQuery = () => queryOptions({ queryKey: ['me'], queryFn: ({ signal }) => calls.me({}, { signal }) })

/** Profile and preferences (E-18). */
export const settingsQuery = () => queryOptions({ queryKey: ['settings'], queryFn: ({ signal }) => calls.settings({}, { signal }) })
