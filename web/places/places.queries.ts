import { queryOptions } from '@tanstack/react-query'
import { places } from '#contracts/places.ts'
import { createClient } from '#web/lib/api/api.ts'
import { outside } from '#web/lib/api/outside.ts'

export const placesApi = createClient(places, outside)

/** All places by name. The client is loaded lazily, because the map on the home page is loaded before it. */
export const placesQuery = () =>
  queryOptions({
    queryKey: ['places'],
    queryFn: async ({ signal }) => (await import('./places.calls.ts')).placesApi.list({}, { signal }),
  })
