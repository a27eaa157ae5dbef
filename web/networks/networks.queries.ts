import { queryOptions } from '@tanstack/react-query'
import { networkKeys, networkNumbers } from '#contracts/networks.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

export const networkNumbersApi = createClient(networkNumbers, clientPorts)
export const networkKeysApi = createClient(networkKeys, clientPorts)

/** The numbers by which networks know a tracker. */
export const networkNumbersQuery = (id: number) =>
  queryOptions({
    queryKey: ['networkNumbers', id],
    queryFn: ({ signal }) => networkNumbersApi.read({ params: { id } }, { signal }),
  })

/** Keys with which networks report for all trackers of the account, newest first. */
export const networkKeysQuery = () =>
  queryOptions({
    queryKey: ['networkKeys'],
    queryFn: ({ signal }) => networkKeysApi.list({}, { signal }),
    // Networks update `last_used_at`.
    refetchOnMount: 'always',
  })
