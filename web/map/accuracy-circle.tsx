import type { Kind } from '#contracts/lib/constants.ts'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { AreaCircle } from './area-circle.tsx'

/** The area in which the tracker may be; `radius` in metres. */
export const AccuracyCircle = ({ at, radius, kind }: { at: LatLng; radius: number; kind: Kind }) => (
  <AreaCircle at={at} radius={radius} token={`--kind-${kind}`} />
)
