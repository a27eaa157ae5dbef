import { queryOptions } from '@tanstack/react-query'
import { links } from '#contracts/links.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { pollEvery } from '#web/lib/api/query.ts'

const linksApi = createClient(links, clientPorts)

export const isUuid = (text: string | null): text is string => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text ?? '')

const nullIfGone = (error: unknown) => {
  if (error instanceof ApiError && [400, 403, 404, 410].includes(error.status)) return null
  throw error
}

/** The data a link shares, reloaded every 30 seconds while the page is visible; null for a link that is not, or no longer, valid. */
export const publicLinkQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['shared', uuid],
    queryFn: ({ signal }) => linksApi.read({ params: { uuid } }, { signal, staysOn401: true }).catch(nullIfGone),
    refetchInterval: ({ state }) => (state.error || state.data === null ? false : pollEvery(30_000)()),
  })
