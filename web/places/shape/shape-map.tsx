import { Button } from '@mantine/core'
import { IconTarget } from '@tabler/icons-react'
import type { LatLng as LeafletLatLng } from 'leaflet'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { SHAPE_LIMITS, type ShapePoint } from '#contracts/rules/geo/shape.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { MapView } from '#web/map/map-view.tsx'
import { useView } from '#web/map/pins/use-view.ts'
import { PlaceBorder, pointsOf, shapeOn } from '#web/map/shapes/place-border.tsx'
import { MapTools } from '#web/map/tools/map-tools.tsx'
import { DragHandle, moveByKey, TwoFingerPan } from './map-handles.tsx'
import classes from './shape-map.module.css'
import { encloseDraft, type ShapeDraft } from './use-shape.ts'

type Props = {
  /** Points visible in the first view. */
  start: readonly LatLng[]
  draft: ShapeDraft
  chosen: number | null
  onChoose: (index: number | null) => void
  isDisabled: boolean
}

/** The map on which an area or a way is drawn: a tap adds a point, points are dragged, and a dot between two adds one there. */
export default function ShapeMap({ start, draft, chosen, onChoose, isDisabled }: Props) {
  const { t } = useTranslation()
  const { shape } = draft
  const drawn = useMemo(() => (shape && shape.points.length > 1 ? encloseDraft(shape) : null), [shape])
  return (
    <MapView points={start}>
      {drawn && <PlaceBorder place={drawn} isStrong />}
      {!isDisabled && <Handles draft={draft} chosen={chosen} onChoose={onChoose} />}
      {!isDisabled && <PointAdder draft={draft} />}
      <TwoFingerPan />
      <MapTools points={draft.points.length > 0 ? pointsOf({ points: [...draft.points] }) : start} label={t('places.shape.show')} />
    </MapView>
  )
}

/** Adds a point where the map is clicked, or in its middle. */
function PointAdder({ draft }: { draft: ShapeDraft }) {
  const { t } = useTranslation()
  const { map } = useMapStage()
  const add = ({ lat, lng }: LatLng) => {
    if (draft.kind === 'circle' || draft.points.length >= SHAPE_LIMITS[draft.kind].points.max) return
    draft.change([...draft.points, [lat, lng]])
  }
  const clicked = useEffectEvent(add)
  useEffect(() => {
    const onClick = ({ latlng }: { latlng: LeafletLatLng }) => clicked(latlng.wrap())
    map.on('click', onClick)
    return () => void map.off('click', onClick)
  }, [map])
  return (
    <Button className={classes.here ?? ''} h={44} leftSection={<IconTarget size={18} />} onClick={() => add(map.getCenter().wrap())}>
      {t('places.shape.addMiddle')}
    </Button>
  )
}

/** With more points in view than this, they would cover the shape. */
const MOST_HANDLES = 80
/** Pixels between two points that leave room for a dot. */
const ROOM_FOR_DOT = 64

function Handles({ draft, chosen, onChoose }: Pick<Props, 'draft' | 'chosen' | 'onChoose'>) {
  const { t } = useTranslation()
  const { map } = useMapStage()
  const { zoom, box } = useView(map)
  const { points, kind, change } = draft
  const placed = shapeOn(map, points)
  const shown = placed.flatMap(([lat, lng], index) =>
    lat > box.south && lat < box.north && lng > box.west && lng < box.east ? [{ at: { lat, lng }, index }] : [],
  )
  if (shown.length > MOST_HANDLES) return <p className={classes.zoomIn}>{t('places.shape.zoomIn')}</p>
  const replace = (index: number, { lat, lng }: LatLng, isStep: boolean) =>
    change(
      points.map((point, nth): ShapePoint => (nth === index ? [lat, lng] : point)),
      isStep,
    )
  const insert = (index: number, { lat, lng }: LatLng) => {
    change([...points.slice(0, index), [lat, lng], ...points.slice(index)])
    onChoose(index)
  }
  const middles = shown.flatMap(({ index, at }) => {
    const next = placed[index + 1] ?? (kind === 'polygon' && placed.length > 2 ? placed[0] : undefined)
    if (!next) return []
    const [from, to] = [map.project([at.lat, at.lng], zoom), map.project(next, zoom)]
    if (from.distanceTo(to) < ROOM_FOR_DOT) return []
    const { lat, lng } = map.unproject(from.add(to).divideBy(2), zoom)
    return [{ at: { lat, lng }, index }]
  })
  return (
    <>
      {middles.map(({ at, index }) => (
        <DragHandle key={`after ${index} of ${points.length}`} at={at} onDrop={(to) => insert(index + 1, to)}>
          <button
            type="button"
            className={classes.between}
            aria-label={t('places.shape.between', { n: index + 1 })}
            onClick={() => insert(index + 1, at)}
          />
        </DragHandle>
      ))}
      {shown.map(({ at, index }) => (
        <DragHandle key={index} at={at} onDrag={(to, isFirst) => replace(index, to, isFirst)}>
          <button
            type="button"
            className={classes.point}
            data-chosen={index === chosen || undefined}
            aria-label={t('places.shape.point', { n: index + 1 })}
            aria-pressed={index === chosen}
            onClick={() => onChoose(index === chosen ? null : index)}
            onKeyDown={(event) => {
              const to = moveByKey(map, at, event)
              if (to) replace(index, to, !event.repeat)
            }}
          />
        </DragHandle>
      ))}
    </>
  )
}
