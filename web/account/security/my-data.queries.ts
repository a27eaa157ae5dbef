import { queryOptions } from '@tanstack/react-query'
import { myData } from '#contracts/accounts/my-data.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { pollEvery } from '#web/lib/api/query.ts'

export const myDataApi = createClient(myData, clientPorts)

const POLL_MS = 3000

/** At most one; read again until it is ready. */
export const dataCopiesQuery = () =>
  queryOptions({
    queryKey: ['dataCopies'],
    queryFn: ({ signal }) => myDataApi.list({}, { signal }),
    refetchInterval: ({ state }) => (state.data?.some((copy) => copy.state === 'running') ? pollEvery(POLL_MS)() : false),
  })
