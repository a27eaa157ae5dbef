import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { HistoryPoint } from '#contracts/positions.ts'
import { useNow } from '#web/lib/clock.ts'
import { startOfDay, summarizeDay } from '#web/trackers/day.ts'
import { traceQuery } from '#web/trackers/trackers.queries.ts'

const NONE: HistoryPoint[] = []

/** Today's track of a tracker since midnight; null while loading and without positions. */
export function useToday(id: number | undefined) {
  const start = startOfDay(useNow()).toISOString()
  const { data, isError } = useQuery({ ...traceQuery(id ?? 0, start), enabled: id !== undefined })
  const day = useMemo(() => data && summarizeDay(data, new Date(start)), [data, start])
  return { points: data ?? NONE, day: day ?? null, isError }
}
