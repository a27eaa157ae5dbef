import { useQuery } from '@tanstack/react-query'
import { NO_POSITIONS } from '#contracts/track/columns.ts'
import { useNow } from '#web/lib/clock.ts'
import { traceQuery } from '#web/trackers/trackers.queries.tsx'

export const startOfDay = (at: Date) => new Date(at.getFullYear(), at.getMonth(), at.getDate())

export const useMidnight = () => startOfDay(useNow()).toISOString()

/** Today's positions of the chosen tracker since midnight, wrong ones included; empty until its card has loaded them. */
export function useTodayPoints(id: number | undefined) {
  const start = useMidnight()
  return useQuery({ ...traceQuery(id ?? 0, start), enabled: false }).data ?? NO_POSITIONS
}
