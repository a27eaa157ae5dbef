import { queryOptions } from '@tanstack/react-query'

/** Every place of the account, by name (E-40); the map is there before their calls are. */
export const placesQuery = () =>
  queryOptions({
    queryKey: ['places'],
    queryFn: async ({ signal }) => (await import('./places.calls.ts')).calls.list({}, { signal }),
  })
