import { infiniteQueryOptions } from '@tanstack/react-query'
import { firings } from '#contracts/firings.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

const firingsApi = createClient(firings, clientPorts)

export type FiringFilter = { device?: number | undefined; place?: number | undefined }

export const firingsQuery = ({ device, place }: FiringFilter) =>
  infiniteQueryOptions({
    queryKey: ['firings', device ?? null, place ?? null],
    queryFn: ({ pageParam: before, signal }) =>
      firingsApi.list(
        { query: { ...(device !== undefined && { device }), ...(place !== undefined && { place }), ...(before && { before }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
