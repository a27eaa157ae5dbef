import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Leg } from '#contracts/rules/tracking/trips.ts'
import type { PositionColumns } from '#contracts/track/columns.ts'
import { useNow } from '#web/lib/clock.ts'
import { useSliced } from '#web/lib/slices.ts'
import { legsOf, startOfDay, summarizeDay } from '#web/trackers/day.ts'
import { traceQuery } from '#web/trackers/trackers.queries.ts'

/** What a tracker did today; undefined until its card has loaded it. */
export function useToday(id: number) {
  const start = useMidnight()
  const positions = useQuery({ ...traceQuery(id, start), enabled: false }).data
  return useSummary(positions, id, start)
}

const NO_LEGS: Leg[] = []

/** Loads it, for the part of the card that shows nothing else. */
export function useLoadedToday(id: number) {
  const start = useMidnight()
  const positions = useSuspenseQuery(traceQuery(id, start)).data
  const summary = useSummary(positions, id, start)
  return useMemo(() => summary ?? summarizeDay(NO_LEGS, new Date(start)), [summary, start])
}

function useSummary(positions: PositionColumns | undefined, id: number, start: string) {
  const legs = useSliced(legsOf, positions, `${id} ${start}`)
  return useMemo(() => legs && summarizeDay(legs, new Date(start)), [legs, start])
}

const useMidnight = () => startOfDay(useNow()).toISOString()
