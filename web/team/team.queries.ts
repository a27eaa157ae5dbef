import { queryOptions } from '@tanstack/react-query'
import { type Made, team } from '#contracts/accounts/team.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { orMissing } from '#web/lib/other-backends/features.ts'

export const teamApi = createClient(team, clientPorts)

export const teamKeys = { all: ['team'] } as const

/** Sorted by name. */
export const teamQuery = () => queryOptions({ queryKey: teamKeys.all, queryFn: ({ signal }) => teamApi.list({}, { signal }) })

/** Links and keys created by a user of the team; null if the backend does not know. */
export const madeQuery = (id: number) =>
  queryOptions({
    queryKey: [...teamKeys.all, id, 'made'],
    queryFn: ({ signal }) => orMissing<Made | null>('madeByUsers', () => teamApi.made({ params: { id } }, { signal }), null),
  })
