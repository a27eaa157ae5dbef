import { useMemo } from 'react'
import type { Kind } from '#contracts/lib/constants.ts'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { flyTo } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { isStale, type TrackerState } from '#web/trackers/state.ts'
import { ClusterMarker } from './cluster-marker.tsx'
import { createClusters } from './clusters.ts'
import { MapMarker } from './map-marker.tsx'
import { Pin } from './pin.tsx'
import { useView } from './use-view.ts'

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
