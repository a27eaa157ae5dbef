import { infiniteQueryOptions, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { alertInbox, type FiringKind, firings } from '#contracts/firings.ts'
import { addDays } from '#contracts/rules/local-day.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { userKeys } from '#web/signed-in/user.queries.ts'

const firingsApi = createClient(firings, clientPorts)
const inboxApi = createClient(alertInbox, clientPorts)

export type FiringFilter = {
  device?: number | undefined
  place?: number | undefined
  kind?: FiringKind | undefined
  /** The first and the last day, in the time zone of the browser. */
  from?: string | undefined
  to?: string | undefined
  isUnread?: boolean
}

const startOfDay = (day: string) => formatInstant(new Date(`${day}T00:00`))

const KEYS = { all: ['firings'] } as const

export const firingsQuery = ({ device, place, kind, from, to, isUnread = false }: FiringFilter) =>
  infiniteQueryOptions({
    queryKey: [...KEYS.all, 'list', device ?? null, place ?? null, kind ?? null, from ?? null, to ?? null, isUnread],
    queryFn: ({ pageParam: before, signal }) => {
      const query = {
        ...(device !== undefined && { device }),
        ...(place !== undefined && { place }),
        ...(kind && { kind }),
        ...(from && { from: startOfDay(from) }),
        ...(to && { to: startOfDay(addDays(to, 1)) }),
        ...(isUnread && { unread: 'true' as const }),
        ...(before && { before }),
      }
      return firingsApi.list({ query }, { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

export const firingQuery = (id: number) =>
  queryOptions({ queryKey: [...KEYS.all, 'one', id], queryFn: ({ signal }) => inboxApi.read({ params: { id } }, { signal }) })

/** Reads the lists and the number of unread alerts again. */
function refresh(queries: QueryClient) {
  void queries.invalidateQueries({ queryKey: KEYS.all })
  void queries.invalidateQueries({ queryKey: userKeys.session })
}

type Marks = { seen?: boolean; false_alarm?: boolean }

/** Marks a fired alert as seen or as a false alarm, or takes the mark back. */
export function useMarkFiring(id: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Marks) => inboxApi.change({ params: { id }, body }),
    onSuccess(changed) {
      queries.setQueryData(firingQuery(id).queryKey, changed)
      refresh(queries)
    },
  })
}

/** Marks all fired alerts as seen up to one, by its number. */
export function useSeeFirings() {
  const queries = useQueryClient()
  return useMutation({ mutationFn: (upTo: number) => inboxApi.see({ body: { up_to: upTo } }), onSuccess: () => refresh(queries) })
}
