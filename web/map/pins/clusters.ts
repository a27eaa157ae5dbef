import Supercluster from 'supercluster'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { compareIds } from '#contracts/rules/text.ts'

type Box = { west: number; south: number; east: number; north: number }

/**
 * Neighbouring pins drawn as one. `opensAt` is the zoom at which they separate, null when they never do. `members` are those that are shown
 * or read out: of a large group that can be opened, the first few.
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
  return (box: Box, zoom: number): Group<P>[] =>
    index.getClusters([box.west, box.south, box.east, box.north], Math.floor(zoom)).map(({ geometry, properties }) => {
      const [lng = 0, lat = 0] = geometry.coordinates
      if (!('cluster' in properties))
        return { key: `p${properties.point.id}`, at: { lat, lng }, count: 1, members: [properties.point], opensAt: null }
      const expansion = index.getClusterExpansionZoom(properties.cluster_id)
      const opensAt = expansion > maxZoom ? null : expansion
      const leaves = index.getLeaves(properties.cluster_id, opensAt === null ? Number.POSITIVE_INFINITY : MAX_READ)
      const members = leaves.map((leaf) => leaf.properties.point).sort((a, b) => compareIds(a.id, b.id))
      return { key: `c${members[0]?.id}`, at: { lat, lng }, count: properties.point_count, members, opensAt }
    })
}
