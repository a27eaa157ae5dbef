import { Button } from '@mantine/core'
import { IconMapPinFilled, IconTarget } from '@tabler/icons-react'
import { type LatLng as LeafletLatLng, latLngBounds } from 'leaflet'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { distanceMeters, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import { showAll } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { MapView } from '#web/map/map-view.tsx'
import { AreaCircle, boxCorners, eastPoint } from '#web/map/shapes/circles.tsx'
import { MapTools } from '#web/map/tools/map-tools.tsx'
import { DragHandle, moveByKey, TwoFingerPan } from '#web/places/shape/map-handles.tsx'
import { roundRadius } from './radius-field.tsx'
import classes from './spot-map.module.css'

/** Zoom levels by which a circle may be smaller than the view before it counts as a speck. */
const SPECK_ZOOMS = 3

type Props = {
  /** Points visible in the first view. */
  start: readonly LatLng[]
  spot: LatLng | null
  radius: number
  isDisabled: boolean
  onPut: (spot: LatLng) => void
  onResize: (radius: number) => void
}

export default function SpotMap({ start, spot, radius, isDisabled, onPut, onResize }: Props) {
  const { t } = useTranslation()
  const drawn = useRef<number>(null)
  const resize = (to: number) => {
    drawn.current = to
    onResize(to)
  }
  const corners = spot ? boxCorners({ lat: spot.lat, lng: spot.lng, radius }) : start
  return (
    <MapView points={start}>
      {spot && <AreaCircle at={spot} radius={radius} isStrong />}
      {spot && !isDisabled && <SpotHandles spot={spot} radius={radius} onPut={onPut} onResize={resize} />}
      {spot && <KeepInView spot={spot} radius={radius} isDrawn={(to) => drawn.current === to} />}
      {!spot && !isDisabled && <SpotPlacer radius={radius} onPut={onPut} />}
      <TwoFingerPan />
      <MapTools points={corners} label={spot ? t('places.showCircle') : t('map.showAll')} />
    </MapView>
  )
}

/** Zooms when a typed or slid radius leaves the view or becomes a speck in it, but not while the circle is being dragged. */
function KeepInView({ spot: { lat, lng }, radius, isDrawn }: { spot: LatLng; radius: number; isDrawn: (radius: number) => boolean }) {
  const { map, padding } = useMapStage()
  const look = useEffectEvent((to: number) => {
    const corners = boxCorners({ lat, lng, radius: to })
    const bounds = latLngBounds(corners.map((corner) => [corner.lat, corner.lng]))
    const isFar = map.getBoundsZoom(bounds) - map.getZoom() > SPECK_ZOOMS
    if (!isDrawn(to) && (isFar || !map.getBounds().contains(bounds))) showAll(map, corners, padding)
  })
  useEffect(() => look(radius), [radius])
  return null
}

/** Without a circle yet, a click on the map places it there and the button places it in the centre. */
function SpotPlacer({ radius, onPut }: Pick<Props, 'radius' | 'onPut'>) {
  const { t } = useTranslation()
  const { map, padding } = useMapStage()
  const placeAt = ({ lat, lng }: LatLng) => {
    onPut({ lat, lng })
    showAll(map, boxCorners({ lat, lng, radius }), padding)
  }
  const clicked = useEffectEvent(placeAt)
  useEffect(() => {
    const onClick = ({ latlng }: { latlng: LeafletLatLng }) => clicked(latlng.wrap())
    map.on('click', onClick)
    return () => void map.off('click', onClick)
  }, [map])
  return (
    <Button className={classes.here ?? ''} h={44} leftSection={<IconTarget size={18} />} onClick={() => placeAt(map.getCenter().wrap())}>
      {t('places.putHere')}
    </Button>
  )
}

type SpotHandlesProps = { spot: LatLng; radius: number; onPut: (spot: LatLng) => void; onResize: (radius: number) => void }

function SpotHandles({ spot, radius, onPut, onResize }: SpotHandlesProps) {
  const { t } = useTranslation()
  const { map } = useMapStage()
  const onKeyDown = (event: KeyboardEvent) => {
    const to = moveByKey(map, spot, event)
    if (to) onPut(to)
  }
  return (
    <>
      <DragHandle at={spot} onDrag={onPut}>
        <button type="button" className={classes.centre} aria-label={t('places.centre')} onKeyDown={onKeyDown}>
          <IconMapPinFilled size={20} aria-hidden="true" />
        </button>
      </DragHandle>
      <DragHandle at={eastPoint({ lat: spot.lat, lng: spot.lng, radius })} onDrag={(to) => onResize(roundRadius(distanceMeters(spot, to)))}>
        {/* Pointer only: keyboard users have the radius field and slider. */}
        <span className={classes.border} aria-hidden="true" />
      </DragHandle>
    </>
  )
}
