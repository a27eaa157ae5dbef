import Supercluster from 'supercluster'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { compareIds } from '#contracts/rules/text.ts'

type Box = { west: number; south: number; east: number; north: number }

/**
 * Neighbouring pins drawn as one. `opensAt` is the zoom at which they separate, null when they never do. `members` are those that are shown
 * or read out: the first few of a large group that can be opened.
 */
export type Group<P> = { key: string; at: LatLng; count: number; members: P[]; opensAt: number | null }

type Point = LatLng & { id: number }

/** Members that a screen reader reads of a group. */
const MAX_READ = 20

/** Pixels within which pins are grouped: up to 40 only overlapping ones, and more generously the more there are. */
const RADII = [
  { most: 40, radius: 40 },
  { most: 500, radius: 60 },
  { most: Number.POSITIVE_INFINITY, radius: 80 },
]

export function createClusters<P extends Point>(points: readonly P[], maxZoom: number) {
  const radius = RADII.find(({ most }) => points.length <= most)!.radius
  const index = new Supercluster<{ point: P }>({ radius, extent: 256, maxZoom, minPoints: 2 })
  index.load(
    points.map((point) => ({ type: 'Feature', geometry: { type: 'Point', coordinates: [point.lng, point.lat] }, properties: { point } })),
  )
  return (box: Box, zoom: number): Group<P>[] => {
    const groups = index.getClusters([box.west, box.south, box.east, box.north], Math.floor(zoom)).map(({ geometry, properties }) => {
      const [lng = 0, lat = 0] = geometry.coordinates
      if (!('cluster' in properties))
        return { key: `p${properties.point.id}`, at: { lat, lng }, count: 1, members: [properties.point], opensAt: null }
      const expansion = index.getClusterExpansionZoom(properties.cluster_id)
      const opensAt = expansion > maxZoom ? null : expansion
      const leaves = index.getLeaves(properties.cluster_id, opensAt === null ? Number.POSITIVE_INFINITY : MAX_READ)
      const members = leaves.map((leaf) => leaf.properties.point).sort((a, b) => compareIds(a.id, b.id))
      return { key: `c${members[0]?.id}`, at: { lat, lng }, count: properties.point_count, members, opensAt }
    })
    return mergeOverlaps(groups, zoom, maxZoom)
  }
}

/** A group of up to this many shows the icon of each. */
export const MAX_FACES = 4

/** Half of the width and height in pixels that a group covers, as in cluster-marker.module.css. */
const halfSize = (count: number) =>
  count > MAX_FACES ? { x: 27, y: 27 } : count > 1 ? { x: 19 + 9 * (count - 1), y: 19 } : { x: 19, y: 19 }

const pixelOf = ({ lat, lng }: LatLng, zoom: number) => {
  const world = 256 * 2 ** zoom
  const sine = Math.sin((lat * Math.PI) / 180)
  return { x: (lng / 360 + 0.5) * world, y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world }
}

/** Merges groups that would overlap on the screen; single pins never do. */
function mergeOverlaps<P extends Point>(groups: Group<P>[], zoom: number, maxZoom: number): Group<P>[] {
  const merged: Placed<P>[] = []
  const waiting = groups.map((group) => ({ ...group, ...pixelOf(group.at, zoom) }))
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const one = next
    const index = merged.findIndex((other) => areOverlapping(one, other))
    const [other] = index < 0 ? [] : merged.splice(index, 1)
    if (other) waiting.push(joinGroups(one, other, zoom, maxZoom))
    else merged.push(one)
  }
  return merged
}

type Placed<P> = Group<P> & { x: number; y: number }

function areOverlapping<P>(a: Placed<P>, b: Placed<P>) {
  if (a.count === 1 && b.count === 1) return false
  const [one, two] = [halfSize(a.count), halfSize(b.count)]
  return Math.abs(a.x - b.x) < one.x + two.x && Math.abs(a.y - b.y) < one.y + two.y
}

function joinGroups<P extends Point>(a: Placed<P>, b: Placed<P>, zoom: number, maxZoom: number): Placed<P> {
  const count = a.count + b.count
  const middle = (one: number, two: number) => (one * a.count + two * b.count) / count
  const next = Math.floor(zoom) + 1
  const members = [...a.members, ...b.members].sort((one, two) => compareIds(one.id, two.id))
  return {
    key: `c${members[0]?.id}`,
    at: { lat: middle(a.at.lat, b.at.lat), lng: middle(a.at.lng, b.at.lng) },
    count,
    members: next > maxZoom ? members : members.slice(0, MAX_READ),
    opensAt: next > maxZoom ? null : next,
    x: middle(a.x, b.x),
    y: middle(a.y, b.y),
  }
}
