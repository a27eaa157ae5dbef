import { queryOptions } from '@tanstack/react-query'
import { terms } from '#contracts/accounts/terms.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

export const termsApi = createClient(terms, clientPorts)

export const termsKey = ['terms'] as const

/** The version of the terms in force, and the one that the signed-in user has accepted. */
export const termsQuery = () => queryOptions({ queryKey: termsKey, queryFn: ({ signal }) => termsApi.read({}, { signal }) })
