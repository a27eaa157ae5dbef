import { IconMapPinFilled } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { distanceMeters, type LatLng } from '#contracts/rules/geo.ts'
import { eastOf } from '#web/map/circle-points.ts'
import { DragHandle } from '#web/map/drag-handle.tsx'
import { useStage } from '#web/map/map-context.ts'
import { radiusFrom } from './radius-steps.ts'
import classes from './spot-map.module.css'

/** Pixels per arrow key press: `near`, or `far` with Shift. */
const STEP = { near: 8, far: 40 }
const ARROWS: Record<string, [number, number]> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }

type Props = { spot: LatLng; radius: number; onPut: (spot: LatLng) => void; onResize: (radius: number) => void }

/** A pin that moves the circle and a handle on its border that resizes it. */
export function SpotHandles({ spot, radius, onPut, onResize }: Props) {
  const { t } = useTranslation()
  const { map } = useStage()
  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key]
    if (!arrow) return
    event.preventDefault()
    event.stopPropagation()
    const step = event.shiftKey ? STEP.far : STEP.near
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
      <DragHandle at={eastOf({ lat: spot.lat, lng: spot.lng, radius })} onDrag={(to) => onResize(radiusFrom(distanceMeters(spot, to)))}>
        {/* Pointer only: keyboard users have the radius field and slider. */}
        <span className={classes.border} aria-hidden="true" />
      </DragHandle>
    </>
  )
}
