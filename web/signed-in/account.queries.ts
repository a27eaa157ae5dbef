import { queryOptions } from '@tanstack/react-query'
import { calls } from './account.calls.ts'

/** The signed-in user: e-mail address, whether it is confirmed, and role. */
export const meQuery = () => queryOptions({ queryKey: ['me'], queryFn: ({ signal }) => calls.me({}, { signal }) })

/** Profile and preferences. */
export const settingsQuery = () => queryOptions({ queryKey: ['settings'], queryFn: ({ signal }) => calls.settings({}, { signal }) })
