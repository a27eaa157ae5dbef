import { queryOptions } from '@tanstack/react-query'
import type { Place } from '#contracts/places.ts'
import { calls } from './calls.ts'

/** Every place of the account, by name (E-40). */
export const placesQuery = () => queryOptions({ queryKey: ['places'], queryFn: ({ signal }) => calls.list({}, { signal }) })

/** One place of the same list; undefined is nobody's or somebody else's. */
export const placeQuery = (id: number) =>
  queryOptions({ ...placesQuery(), select: (places: Place[]) => places.find((place) => place.id === id) })
