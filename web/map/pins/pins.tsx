import type { Map as LeafletMap } from 'leaflet'
import { useEffect, useMemo, useState } from 'react'
import Supercluster from 'supercluster'
import type { Kind } from '#contracts/lib/constants.ts'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { compareIds } from '#contracts/rules/text.ts'
import { flyTo } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { isStale, type TrackerState } from '#web/trackers/state.ts'
import { ClusterMarker } from './cluster-marker.tsx'
import { MapMarker } from './map-marker.tsx'
import { Pin } from './pin.tsx'

export type PinItem = LatLng & {
  id: number
  name: string
  kind: Kind
  state: TrackerState
  label: string
  heading?: number | undefined
}

type Props = { items: readonly PinItem[]; selected?: number | null; hasNames?: boolean; onSelect?: (id: number) => void }

/** Pins of trackers. Overlapping ones are grouped behind one button, except the selected one. */
export function Pins({ items, selected = null, hasNames = false, onSelect }: Props) {
  const { map, padding } = useMapStage()
  const { zoom, box } = useView(map)
  const clusters = useMemo(
    () =>
      createClusters(
        items.filter(({ id }) => id !== selected),
        map.getMaxZoom(),
      ),
    [items, selected, map],
  )
  const groups = clusters(box, zoom)
  const chosen = items.filter(({ id }) => id === selected)
  const alone = [...groups.flatMap(({ members }) => (members.length === 1 ? members : [])), ...chosen]
  const single = (item: PinItem) => (
    <MapMarker key={item.id} at={item} rise={item.id === selected ? 1000 : 0}>
      <Pin
        kind={item.kind}
        label={item.label}
        caption={hasNames ? item.name : undefined}
        heading={item.heading}
        isSelected={item.id === selected}
        isMoving={item.state === 'moving'}
        isLost={item.state === 'lost'}
        isStale={isStale(item.state)}
        onClick={() => onSelect?.(item.id)}
        onFocus={() => map.panInside([item.lat, item.lng], { padding: [60, 60] })}
      />
    </MapMarker>
  )
  return (
    <>
      {alone.map(single)}
      {groups
        .filter(({ members }) => members.length > 1)
        .map(({ key, at, members, opensAt }) => (
          <ClusterMarker
            key={key}
            at={at}
            members={members}
            onOpen={opensAt === null ? null : () => flyTo(map, at, padding, opensAt)}
            onSelect={(id) => onSelect?.(id)}
          />
        ))}
    </>
  )
}

type Box = { west: number; south: number; east: number; north: number }

const EVERYWHERE: Box = { west: -180, south: -85, east: 180, north: 85 }

const readView = (map: LeafletMap) => {
  const bounds = map.getBounds().pad(0.2)
  const hasSize = map.getSize().x > 0
  const box = { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() }
  return { zoom: map.getZoom(), box: hasSize ? box : EVERYWHERE }
}

/** The current view of the map, updated after each move. */
export function useView(map: LeafletMap) {
  const [view, setView] = useState(() => readView(map))
  useEffect(() => {
    const look = () => setView(readView(map))
    map.on('moveend zoomend resize', look)
    look()
    return () => void map.off('moveend zoomend resize', look)
  }, [map])
  return view
}

/** Neighbouring pins drawn as one. `opensAt` is the zoom at which they separate, null when they never do. */
type Group<P> = { key: string; at: LatLng; members: P[]; opensAt: number | null }

type Point = LatLng & { id: number }

/** Above this number of pins the map is grouped generously; up to it only overlapping pins are. */
const CROWD = 40
const RADIUS = { few: 40, crowd: 60 }

export function createClusters<P extends Point>(points: readonly P[], maxZoom: number) {
  const radius = points.length > CROWD ? RADIUS.crowd : RADIUS.few
  const index = new Supercluster<{ point: P }>({ radius, extent: 256, maxZoom, minPoints: 2 })
  index.load(
    points.map((point) => ({ type: 'Feature', geometry: { type: 'Point', coordinates: [point.lng, point.lat] }, properties: { point } })),
  )
  return (box: Box, zoom: number): Group<P>[] =>
    index.getClusters([box.west, box.south, box.east, box.north], Math.floor(zoom)).map(({ geometry, properties }) => {
      const [lng = 0, lat = 0] = geometry.coordinates
      if (!('cluster' in properties))
        return { key: `p${properties.point.id}`, at: { lat, lng }, members: [properties.point], opensAt: null }
      const leaves = index.getLeaves(properties.cluster_id, Number.POSITIVE_INFINITY)
      const members = leaves.map((leaf) => leaf.properties.point).sort((a, b) => compareIds(a.id, b.id))
      const opensAt = index.getClusterExpansionZoom(properties.cluster_id)
      return { key: `c${members[0]?.id}`, at: { lat, lng }, members, opensAt: opensAt > maxZoom ? null : opensAt }
    })
}
