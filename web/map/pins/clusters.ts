import Supercluster from 'supercluster'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { compareIds } from '#contracts/rules/text.ts'
import { STATE_GROUPS, type StateGroup } from '#web/trackers/state.ts'

type Box = { west: number; south: number; east: number; north: number }

/** Number of trackers per state. */
export type Tally = Record<StateGroup, number>

/**
 * Neighbouring pins drawn as one. `opensAt` is the zoom at which they separate, null when they never do. `members` are those that are shown
 * or read out: the first few of a large group that can be opened. `hasFaces`: the icons of its members are drawn, not their number.
 */
export type Group<P> = {
  key: string
  at: LatLng
  count: number
  tally: Tally
  members: P[]
  opensAt: number | null
  hasFaces: boolean
}

type Point = LatLng & { id: number; group: StateGroup }

/** Members that a screen reader reads of a group. */
const MAX_READ = 20

/** Pixels within which pins are grouped: up to 40 only overlapping ones, and more generously the more there are. */
const RADII = [
  { most: 40, radius: 40 },
  { most: 500, radius: 60 },
  { most: Number.POSITIVE_INFINITY, radius: 80 },
]

const toTally = ({ group }: Point): Tally => ({ lost: 0, attention: 0, moving: 0, rest: 0, silent: 0, unused: 0, [group]: 1 })

const pickTally = ({ lost, attention, moving, rest, silent, unused }: Tally): Tally => ({ lost, attention, moving, rest, silent, unused })

const addTo = (sum: Tally, more: Readonly<Tally>) => {
  for (const group of STATE_GROUPS) sum[group] += more[group]
}

/** Above this many trackers groups have one shape, because icons among numbers are hard to compare. */
const MAX_WITH_FACES = 50
/** Up to this many trackers a group shows icons. */
const MAX_FACES = 5
/** The icons of a group; the others are a number. */
export const FACES = 3

export function createClusters<P extends Point>(points: readonly P[], maxZoom: number) {
  const radius = RADII.find(({ most }) => points.length <= most)!.radius
  const isFew = points.length <= MAX_WITH_FACES
  const index = new Supercluster<{ point: P }, Tally>({
    ...{ radius, extent: 256, maxZoom, minPoints: 2 },
    map: ({ point }) => toTally(point),
    reduce: addTo,
  })
  index.load(
    points.map((point) => ({ type: 'Feature', geometry: { type: 'Point', coordinates: [point.lng, point.lat] }, properties: { point } })),
  )
  return (box: Box, zoom: number): Group<P>[] => {
    const groups = index.getClusters([box.west, box.south, box.east, box.north], Math.floor(zoom)).map(({ geometry, properties }) => {
      const [lng = 0, lat = 0] = geometry.coordinates
      const at = { lat, lng }
      if (!('cluster' in properties)) {
        const { point } = properties
        return { key: `p${point.id}`, at, count: 1, tally: toTally(point), members: [point], opensAt: null, hasFaces: false }
      }
      const { cluster_id: id, point_count: count } = properties
      const expansion = index.getClusterExpansionZoom(id)
      const opensAt = expansion > maxZoom ? null : expansion
      const leaves = index.getLeaves(id, opensAt === null ? Number.POSITIVE_INFINITY : MAX_READ)
      const members = leaves.map((leaf) => leaf.properties.point).sort((a, b) => compareIds(a.id, b.id))
      return { key: `c${members[0]?.id}`, at, count, tally: pickTally(properties), members, opensAt, hasFaces: isFew && count <= MAX_FACES }
    })
    return mergeOverlaps(groups, { zoom, maxZoom, isFew })
  }
}

/** Pixels from the middle of a ring to its edge: the area grows with the number. */
export const ringRadius = (count: number) => Math.min(46, 15 + 4.2 * Math.sqrt(count))

/** Half of the width and height in pixels that a group covers, as in pins.module.css. */
function halfSize<P>({ count, hasFaces }: Group<P>) {
  if (count === 1) return { x: 19, y: 19 }
  if (hasFaces) return { x: 17 + 11 * (Math.min(count, FACES + 1) - 1), y: 17 }
  return { x: ringRadius(count) + 2, y: ringRadius(count) + 2 }
}

/** The pixel of a place in the world at a zoom. */
export const pixelOf = ({ lat, lng }: LatLng, zoom: number) => {
  const world = 256 * 2 ** zoom
  const sine = Math.sin((lat * Math.PI) / 180)
  return { x: (lng / 360 + 0.5) * world, y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world }
}

type Placed<P> = Group<P> & { x: number; y: number }
type Drawing = { zoom: number; maxZoom: number; isFew: boolean }

/** Merges groups that would overlap on the screen; single pins never do. */
function mergeOverlaps<P extends Point>(groups: Group<P>[], drawing: Drawing): Group<P>[] {
  const merged: Placed<P>[] = []
  const waiting = groups.map((group) => ({ ...group, ...pixelOf(group.at, drawing.zoom) }))
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const one = next
    const index = merged.findIndex((other) => areOverlapping(one, other))
    const [other] = index < 0 ? [] : merged.splice(index, 1)
    if (other) waiting.push(joinGroups(one, other, drawing))
    else merged.push(one)
  }
  return merged
}

function areOverlapping<P>(a: Placed<P>, b: Placed<P>) {
  if (a.count === 1 && b.count === 1) return false
  const [one, two] = [halfSize(a), halfSize(b)]
  return Math.abs(a.x - b.x) < one.x + two.x && Math.abs(a.y - b.y) < one.y + two.y
}

function joinGroups<P extends Point>(a: Placed<P>, b: Placed<P>, { zoom, maxZoom, isFew }: Drawing): Placed<P> {
  const count = a.count + b.count
  const middle = (one: number, two: number) => (one * a.count + two * b.count) / count
  const next = Math.floor(zoom) + 1
  const members = [...a.members, ...b.members].sort((one, two) => compareIds(one.id, two.id))
  const tally = { ...a.tally }
  addTo(tally, b.tally)
  return {
    key: `c${members[0]?.id}`,
    at: { lat: middle(a.at.lat, b.at.lat), lng: middle(a.at.lng, b.at.lng) },
    count,
    tally,
    members: next > maxZoom ? members : members.slice(0, MAX_READ),
    opensAt: next > maxZoom ? null : next,
    hasFaces: isFew && count <= MAX_FACES,
    x: middle(a.x, b.x),
    y: middle(a.y, b.y),
  }
}
