import { Button } from '@mantine/core'
import { IconMapPinFilled, IconTarget } from '@tabler/icons-react'
import L, { type LatLng as LeafletLatLng, latLngBounds } from 'leaflet'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { distanceMeters, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import { showAll } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { MapView } from '#web/map/map-view.tsx'
import { AreaCircle, boxCorners, eastPoint } from '#web/map/shapes/circles.tsx'
import { MapTools } from '#web/map/tools/map-tools.tsx'
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

/** On touch screens one finger scrolls the form, and two move the map, so that the form does not get stuck at its map. */
function TwoFingerPan() {
  const { t } = useTranslation()
  const { map } = useMapStage()
  useEffect(() => {
    if (window.matchMedia('(pointer: coarse)').matches) map.dragging.disable()
  }, [map])
  return <p className={classes.fingers}>{t('places.twoFingers')}</p>
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

/** Pixels per arrow key press: `near`, or `far` with Shift. */
const STEP_PX = { near: 8, far: 40 }
const ARROWS: Record<string, [number, number]> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }

type SpotHandlesProps = { spot: LatLng; radius: number; onPut: (spot: LatLng) => void; onResize: (radius: number) => void }

function SpotHandles({ spot, radius, onPut, onResize }: SpotHandlesProps) {
  const { t } = useTranslation()
  const { map } = useMapStage()
  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key]
    if (!arrow) return
    event.preventDefault()
    event.stopPropagation()
    const step = event.shiftKey ? STEP_PX.far : STEP_PX.near
    const { lat, lng } = map.unproject(map.project([spot.lat, spot.lng]).add([arrow[0] * step, arrow[1] * step])).wrap()
    onPut({ lat, lng })
    map.panInside([lat, lng], { padding: [60, 60] })
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

/** A draggable point of the map; its children are the visible handle. */
function DragHandle({ at: { lat, lng }, onDrag, children }: { at: LatLng; onDrag: (to: LatLng) => void; children: ReactNode }) {
  const { map } = useMapStage()
  const [host] = useState(() => document.createElement('div'))
  const [isHeld, setHeld] = useState(false)
  const [marker] = useState(() =>
    L.marker([lat, lng], {
      icon: L.divIcon({ html: host, className: '', iconSize: [0, 0] }),
      keyboard: false,
      draggable: true,
      autoPan: true,
      zIndexOffset: 1000,
    }),
  )
  const tell = useEffectEvent(() => {
    const to = marker.getLatLng().wrap()
    onDrag({ lat: to.lat, lng: to.lng })
  })
  useEffect(() => {
    marker.on('dragstart', () => setHeld(true))
    marker.on('drag', () => tell())
    marker.on('dragend', () => setHeld(false))
    marker.addTo(map)
    return () => void marker.off().remove()
  }, [map, marker])
  useEffect(() => {
    // While dragged, the handle follows the pointer, not its props.
    if (!isHeld) marker.setLatLng([lat, lng])
  }, [marker, isHeld, lat, lng])
  return createPortal(children, host)
}
