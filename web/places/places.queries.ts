import { queryOptions } from '@tanstack/react-query'

/** All places by name. The client is loaded lazily, because the map on the home page is loaded before it. */
export const placesQuery = () =>
  queryOptions({
    queryKey: ['places'],
    queryFn: async ({ signal }) => (await import('./places.api.ts')).placesApi.list({}, { signal }),
  })
