import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { PositionColumns } from '#contracts/track/columns.ts'
import { useMidnight } from '#web/home/map/today-points.ts'
import { loadChunk } from '#web/lib/chunk.ts'
import { useSliced } from '#web/lib/slices.ts'
import { traceQuery } from '#web/trackers/trackers.queries.ts'

/** The rules of a day are needed once its positions are there; the map is drawn before. */
const loadRules = () => loadChunk(() => import('#web/trackers/day.ts'))
type Rules = Awaited<ReturnType<typeof loadRules>>

/** What a tracker did today; undefined until its card has loaded it. */
export function useToday(id: number) {
  const start = useMidnight()
  const positions = useQuery({ ...traceQuery(id, start), enabled: false }).data
  return useSummary(positions, id, start)
}

const NOTHING = { meters: 0, movingMs: 0, byHour: Array.from({ length: 24 }, () => 0) }

/** Loads it, for the part of the card that shows nothing else. */
export function useLoadedToday(id: number) {
  const start = useMidnight()
  const positions = useSuspenseQuery(traceQuery(id, start)).data
  return useSummary(positions, id, start) ?? NOTHING
}

const withoutRules: Rules['legsOf'] = () => ({ read: () => undefined, subscribe: () => () => undefined })

function useSummary(positions: PositionColumns | undefined, id: number, start: string) {
  const [rules, setRules] = useState<Rules>()
  const isNeeded = positions !== undefined
  useEffect(() => {
    if (isNeeded) loadRules().then(setRules, () => undefined)
  }, [isNeeded])
  const legs = useSliced(rules?.legsOf ?? withoutRules, positions, `${id} ${start}`)
  return useMemo(() => legs && rules?.summarizeDay(legs, new Date(start)), [legs, rules, start])
}
