import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/lib/api/client.ts'
import { pollEvery } from '#web/lib/api/query.ts'

export const isUuid = (text: string | null): text is string => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text ?? '')

/** The data a link shares, reloaded every 30 seconds while the page is visible. */
export const publicLinkQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['shared', uuid],
    queryFn: ({ signal }) => client.links.read({ params: { uuid } }, { signal, staysOn401: true }),
    refetchInterval: ({ state }) => (state.error ? false : pollEvery(30_000)()),
  })
