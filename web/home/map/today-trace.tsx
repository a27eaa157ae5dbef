import type { PositionColumns } from '#contracts/track/columns.ts'
import { useTimeSliced } from '#web/lib/time-slices.ts'
import { Trace } from '#web/map/shapes/trace.tsx'
import { separatedOf } from '#web/trackers/trace/wrong-positions.ts'

/** Today's track of a tracker, without positions that look wrong. */
export default function TodayTrace({ id, positions }: { id: number; positions: PositionColumns }) {
  const separated = useTimeSliced(separatedOf, positions, `${id}`)
  return separated && <Trace path={separated.good} />
}
