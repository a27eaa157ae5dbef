import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Place, places } from '#contracts/places.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { orMissing } from '#web/lib/other-backends/features.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'

export const placesApi = createClient(places, clientPorts)

export const placeKeys = { all: ['places'] } as const

/** All places by name. */
export const placesQuery = () =>
  queryOptions({
    queryKey: placeKeys.all,
    queryFn: ({ signal }) => orMissing('places', () => placesApi.list({}, { signal }), []),
  })

const NONE: readonly Place[] = []

/** The places of the account; empty while loading, when not enabled, and for users who may not read them. */
export function usePlaces(isWanted = true): readonly Place[] {
  const enabled = useHasRight('readPlaces') && isWanted
  const { data } = useQuery({ ...placesQuery(), enabled })
  return (enabled && data) || NONE
}
