import { queryOptions } from '@tanstack/react-query'
import { team } from '#contracts/accounts/team.ts'
import { createClient } from '#web/lib/api/api.ts'
import { clientPorts } from '#web/lib/api/client-ports.ts'

export const teamApi = createClient(team, clientPorts)

export const teamKeys = { all: ['team'] } as const

/** Sorted by name. */
export const teamQuery = () => queryOptions({ queryKey: teamKeys.all, queryFn: ({ signal }) => teamApi.list({}, { signal }) })
