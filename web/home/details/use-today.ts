import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { HistoryPoint } from '#contracts/positions.ts'
import { useNow } from '#web/lib/clock.ts'
import { startOfDay, summarizeDay } from '#web/trackers/day.ts'
import { traceQuery } from '#web/trackers/trackers.queries.ts'

const NONE: HistoryPoint[] = []

/** Today's positions of the chosen tracker since midnight; empty until its card has loaded them. */
export function useTodayPoints(id: number | undefined) {
  const start = useMidnight()
  return useQuery({ ...traceQuery(id ?? 0, start), enabled: false }).data ?? NONE
}

/** What a tracker did today; undefined until its card has loaded it. */
export function useToday(id: number) {
  const start = useMidnight()
  const points = useQuery({ ...traceQuery(id, start), enabled: false }).data
  return useMemo(() => points && summarizeDay(points, new Date(start)), [points, start])
}

/** Loads it, for the part of the card that shows nothing else. */
export function useLoadedToday(id: number) {
  const start = useMidnight()
  const points = useSuspenseQuery(traceQuery(id, start)).data
  return useMemo(() => summarizeDay(points, new Date(start)), [points, start])
}

const useMidnight = () => startOfDay(useNow()).toISOString()
