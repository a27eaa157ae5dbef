import { queryOptions } from '@tanstack/react-query'
import { normal } from '#contracts/trackers/normal.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { orMissing } from '#web/lib/other-backends/features.ts'

export const usualApi = createClient(normal, clientPorts)

export const usualKeys = { all: ['usual'] } as const

/** Shortly after it was switched on, what is usual has been learnt. */
const LEARNING_MS = 5000

/** Where a tracker usually is. */
export const usualQuery = (id: number) =>
  queryOptions({
    queryKey: [...usualKeys.all, id],
    queryFn: ({ signal }) => usualApi.read({ params: { id } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.enabled && data.learnt_at === null && data.ready_from === null ? LEARNING_MS : false),
  })

/** Where trackers usually are and no place is. */
export const suggestedPlacesQuery = () =>
  queryOptions({
    queryKey: [...usualKeys.all, 'suggestions'],
    queryFn: ({ signal }) => orMissing('normal', () => usualApi.suggest({}, { signal }), []),
  })
