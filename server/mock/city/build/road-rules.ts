/** Bits that say who may use an edge: pedestrians, vehicles in the drawn direction, vehicles against it. */
export const FOOT = 1
export const FORWARD = 2
export const BACKWARD = 4

/** Cost of a metre to a driver; avenues are cheaper, as on real trips. Vehicles may not use what is not listed. */
const DRIVING_COST: Record<string, number> = {
  trunk: 1,
  primary: 1,
  secondary: 1.1,
  tertiary: 1.2,
  unclassified: 1.4,
  residential: 1.4,
  living_street: 2,
  service: 2,
}
const WALKABLE = new Set(
  'primary secondary tertiary unclassified residential living_street service pedestrian footway path steps cycleway track'.split(' '),
)
const CLOSED_ACCESS = new Set(['no', 'private', 'delivery', 'customers'])

/** `residential_link` and the like count as the road they lead to. */
export const roadClass = (highway: string) => highway.replace(/_link$/, '')

/** Returns who may use a road with these tags (bits), and its cost per metre to a driver. */
export function roadUse(tags: Record<string, string>): { bits: number; cost: number } {
  const kind = roadClass(tags.highway ?? '')
  if (CLOSED_ACCESS.has(tags.access ?? '')) return { bits: 0, cost: 1 }
  const foot = WALKABLE.has(kind) && tags.foot !== 'no' ? FOOT : 0
  return { bits: foot | (kind in DRIVING_COST ? allowedDirections(tags) : 0), cost: DRIVING_COST[kind] ?? 1 }
}

function allowedDirections({ oneway, junction }: Record<string, string>) {
  if (oneway === '-1') return BACKWARD
  if (oneway === 'yes' || (junction === 'roundabout' && oneway !== 'no')) return FORWARD
  return FORWARD | BACKWARD
}
