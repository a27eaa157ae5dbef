import { queryOptions } from '@tanstack/react-query'
import { team } from '#contracts/accounts/team.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

export const teamApi = createClient(team, clientPorts)

export const teamKeys = { all: ['team'] } as const

/** Sorted by name. */
export const teamQuery = () => queryOptions({ queryKey: teamKeys.all, queryFn: ({ signal }) => teamApi.list({}, { signal }) })
