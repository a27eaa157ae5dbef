import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { apiTokens } from '#contracts/accounts/api-tokens.ts'
import { passkeys, secondFactor } from '#contracts/accounts/second-factor.ts'
import { security } from '#contracts/accounts/security.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

export const secondFactorApi = createClient(secondFactor, clientPorts)
export const passkeysApi = createClient(passkeys, clientPorts)

export const secondFactorQuery = () =>
  queryOptions({ queryKey: ['secondFactor'], queryFn: ({ signal }) => secondFactorApi.read({}, { signal }) })

export const securityApi = createClient(security, clientPorts)
export const apiTokensApi = createClient(apiTokens, clientPorts)

/** The current session first, then the most recently used ones. */
export const openSessionsQuery = () =>
  queryOptions({
    queryKey: ['openSessions'],
    queryFn: async ({ signal }) => {
      const sessions = await securityApi.listSessions({}, { signal })
      return sessions.toSorted((a, b) => Number(b.current) - Number(a.current))
    },
  })

export const securityLogQuery = () =>
  infiniteQueryOptions({
    queryKey: ['securityLog'],
    queryFn: ({ pageParam, signal }) => securityApi.log({ query: pageParam ? { before: pageParam } : {} }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

export const apiTokensQuery = () => queryOptions({ queryKey: ['apiTokens'], queryFn: ({ signal }) => apiTokensApi.list({}, { signal }) })
