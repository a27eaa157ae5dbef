import { useQuery } from '@tanstack/react-query'
import type { Place } from '#contracts/places.ts'
import { useHasRight } from '#web/signed-in/use-has-right.ts'
import { placesQuery } from './places.queries.ts'

const NONE: readonly Place[] = []

/** The places of the account; empty while loading, when not wanted, and for users who may not read them. */
export function usePlaces(isWanted = true): readonly Place[] {
  const enabled = useHasRight('readPlaces') && isWanted
  const { data } = useQuery({ ...placesQuery(), enabled })
  return (enabled && data) || NONE
}
