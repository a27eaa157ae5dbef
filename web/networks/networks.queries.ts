import { queryOptions } from '@tanstack/react-query'
import { networkKeys, networkNumbers, networkServer, uplinkMappings } from '#contracts/networks.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

export const networkNumbersApi = createClient(networkNumbers, clientPorts)
export const networkKeysApi = createClient(networkKeys, clientPorts)
export const networkServerApi = createClient(networkServer, clientPorts)
export const uplinkMappingsApi = createClient(uplinkMappings, clientPorts)

/** The identifiers of a tracker in networks. */
export const networkNumbersQuery = (id: number) =>
  queryOptions({
    queryKey: ['networkNumbers', id],
    queryFn: ({ signal }) => networkNumbersApi.read({ params: { id } }, { signal }),
  })

/** The mapping of a tracker's decoded payload, and the fields that its newest uplink offers. */
export const uplinkMappingQuery = (id: number) =>
  queryOptions({
    queryKey: ['uplinkMapping', id],
    queryFn: ({ signal }) => uplinkMappingsApi.read({ params: { id } }, { signal }),
    // Every uplink changes it.
    refetchOnMount: 'always',
  })

/** The ChirpStack server of the account. */
export const networkServerQuery = () =>
  queryOptions({ queryKey: ['networkServer'], queryFn: ({ signal }) => networkServerApi.read({}, { signal }) })

/** Keys with which networks report for all trackers of the account, newest first. */
export const networkKeysQuery = () =>
  queryOptions({
    queryKey: ['networkKeys'],
    queryFn: ({ signal }) => networkKeysApi.list({}, { signal }),
    // Networks update `last_used_at`.
    refetchOnMount: 'always',
  })
