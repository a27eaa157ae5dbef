import { queryOptions } from '@tanstack/react-query'
import { orMissing } from '#web/lib/api/features.ts'

export const placeKeys = { all: ['places'] } as const

/** All places by name. The client is loaded lazily, because the map on the home page is loaded before it. */
export const placesQuery = () =>
  queryOptions({
    queryKey: placeKeys.all,
    queryFn: ({ signal }) => orMissing('places', async () => (await import('./places.api.ts')).placesApi.list({}, { signal }), []),
  })
