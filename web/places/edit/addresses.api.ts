import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ADDRESS_SEARCH, addresses } from '#contracts/addresses.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

export const addressesApi = createClient(addresses, clientPorts)

/** Suggestions for a text from three letters on; a failure shows none. */
export const suggestionsQuery = (text: string) =>
  queryOptions({
    queryKey: ['addresses', text],
    queryFn: ({ signal }) => addressesApi.search({ query: { q: text } }, { signal, staysOnNoAnswer: true }).catch(() => []),
    enabled: text.length >= ADDRESS_SEARCH.minLength,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
  })
