import { queryOptions } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { findContainingPlace } from '#contracts/rules/geo/place.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { clock } from '#web/lib/clock.ts'
import type { Formats } from '#web/lib/i18n/format.ts'
import { runInTimeSlices } from '#web/lib/time-slices.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { splitGoodIntoLegs } from '#web/trackers/day.ts'
import { traceQuery, trackerKeys } from '#web/trackers/trackers.queries.tsx'

/** When a tracker began its last trip, and the place it left if that is one of the account. */
export type Departure = { at: Date; place: string | null; address: string | null }

const SEARCHED_DAYS = 2

/** The last departure of a tracker in two days, which may be the theft; null without one, or if its history cannot be read. */
export const departureQuery = (id: number, mayReadPlaces: boolean) =>
  queryOptions({
    queryKey: [...trackerKeys.trackerTraces(id), 'departure', mayReadPlaces],
    queryFn: async ({ client, signal }): Promise<Departure | null> => {
      try {
        const from = new Date(clock.now().getTime() - SEARCHED_DAYS * DAY_MS)
        from.setUTCMinutes(0, 0, 0)
        const positions = await client.fetchQuery(traceQuery(id, from.toISOString()))
        const legs = await runInTimeSlices(splitGoodIntoLegs(positions), { signal })
        const trip = legs.findLast(({ kind }, index) => kind === 'trip' && legs[index - 1]?.kind === 'stop')
        if (!trip) return null
        const places = mayReadPlaces ? await client.fetchQuery(placesQuery()) : []
        const index = positions.datetime.findIndex((time) => time >= trip.start)
        const place = findContainingPlace(places, { lat: positions.lat[index] ?? 0, lng: positions.lng[index] ?? 0 })
        return { at: new Date(trip.start), place: place?.name ?? null, address: place?.address || null }
      } catch {
        return null
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Name and address of the place that the tracker left; undefined if it is none of the account. */
export const placeWords = (departure: Departure | null | undefined) =>
  departure?.place ? [departure.place, departure.address].filter(Boolean).join(', ') : undefined

export const departureWords = (t: TFunction, formats: Formats, { at, place }: Departure) =>
  place ? t('theft.leftPlace', { place, time: formats.dateTime(at) }) : t('theft.left', { time: formats.dateTime(at) })
