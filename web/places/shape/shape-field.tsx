import { Button } from '@mantine/core'
import { IconArrowBackUp, IconEraser, IconTrash } from '@tabler/icons-react'
import { useSuspenseQueries } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import type { ShapePoint } from '#contracts/rules/geo/shape.ts'
import { SHAPE_LIMITS } from '#contracts/rules/geo/shape.ts'
import { MIN_INNER_RADIUS, type ShapeFault } from '#contracts/rules/geo/shape-faults.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { pointsOf } from '#web/map/shapes/place-border.tsx'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonBlock } from '#web/ui/feedback/skeleton.tsx'
import classes from './shape-field.module.css'
import type { ShapeDraft } from './use-shape.ts'

const ShapeMap = lazy(() => import('./shape-map.tsx'))

type Props = {
  draft: ShapeDraft
  /** What the map shows before the first point is drawn; empty for where the trackers are. */
  around: readonly LatLng[]
  isRefused: boolean
  isDisabled: boolean
}

/** Draws an area or a way on a map, or edits it in a list of its points. */
export function ShapeField({ draft, around, isRefused, isDisabled }: Props) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<number | null>(null)
  const { points, kind, fault } = draft
  // The view of the beginning: drawing must not move the map.
  const [start] = useState(() => (points.length > 0 ? pointsOf({ points: [...points] }) : around))
  const remove = (index: number) => {
    draft.change(points.filter((_, nth) => nth !== index))
    setChosen(null)
  }
  const map = { draft, chosen, onChoose: setChosen, isDisabled }
  const isFaulty = fault !== null && (isRefused || fault.reason !== 'few_points')
  return (
    <>
      <div className={classes.map}>
        <Part skeleton={<SkeletonBlock width="100%" height="100%" />} frame={() => <ShapeMap {...map} start={start} />}>
          {start.length > 0 ? <ShapeMap {...map} start={start} /> : <AroundTrackers {...map} />}
        </Part>
      </div>
      {!isDisabled && (
        <div className={classes.tools}>
          <span role="status">{t('places.shape.points', { count: points.length })}</span>
          {chosen !== null && chosen < points.length && (
            <Button variant="default" h={44} leftSection={<IconTrash size={18} />} onClick={() => remove(chosen)}>
              {t('places.shape.remove', { n: chosen + 1 })}
            </Button>
          )}
          <Button variant="default" h={44} leftSection={<IconArrowBackUp size={18} />} disabled={!draft.canUndo} onClick={draft.undo}>
            {t('action.undo')}
          </Button>
          <Button
            variant="default"
            h={44}
            leftSection={<IconEraser size={18} />}
            disabled={points.length === 0}
            onClick={() => {
              draft.change([])
              setChosen(null)
            }}
          >
            {t('places.shape.clear')}
          </Button>
        </div>
      )}
      {isFaulty && (
        <p className={classes.fault} role="alert">
          <FaultText fault={fault} draft={draft} />
        </p>
      )}
      {!isDisabled && <p className={classes.note}>{t(kind === 'polygon' ? 'places.shape.areaHint' : 'places.shape.wayHint')}</p>}
      {points.length > 0 && <PointList draft={draft} chosen={chosen} onChoose={setChosen} onRemove={remove} isDisabled={isDisabled} />}
    </>
  )
}

type MapProps = { draft: ShapeDraft; chosen: number | null; onChoose: (index: number | null) => void; isDisabled: boolean }

function AroundTrackers(map: MapProps) {
  const [devices] = useSuspenseQueries({ queries: [devicesQuery()] })
  return <ShapeMap {...map} start={devices.data.flatMap(({ tracker_status }) => tracker_status.last_position ?? [])} />
}

function FaultText({ fault, draft }: { fault: ShapeFault; draft: ShapeDraft }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const limits = SHAPE_LIMITS[draft.kind === 'corridor' ? 'corridor' : 'polygon']
  switch (fault.reason) {
    case 'few_points':
      return t('places.shape.faults.fewPoints', { count: limits.points.min })
    case 'crossing':
      return t('places.shape.faults.crossing')
    case 'too_narrow':
      return t('places.shape.faults.tooNarrow', { width: formats.distance(2 * MIN_INNER_RADIUS) })
    case 'too_large':
      return t('places.shape.faults.tooLarge', { extent: formats.distance(limits.extent) })
    case 'too_far_north':
      return t('places.shape.faults.tooFarNorth')
  }
}

/** Metres per arrow key press: `near`, or `far` with Shift. */
const STEP_METERS = { near: 10, far: 100 }
const ARROWS: Record<string, [east: number, north: number]> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}
const METERS_PER_DEGREE = 111_195

type ListProps = MapProps & { onRemove: (index: number) => void }

/** The points with their coordinates, for keyboards and screen readers: arrow keys move a point, Delete removes it. */
function PointList({ draft, chosen, onChoose, onRemove, isDisabled }: ListProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const onKeyDown = (event: KeyboardEvent, index: number, [lat, lng]: ShapePoint) => {
    if (event.key === 'Delete') return onRemove(index)
    const arrow = ARROWS[event.key]
    if (!arrow) return
    event.preventDefault()
    const degrees = (event.shiftKey ? STEP_METERS.far : STEP_METERS.near) / METERS_PER_DEGREE
    const to: ShapePoint = [lat + arrow[1] * degrees, lng + (arrow[0] * degrees) / Math.cos((lat * Math.PI) / 180)]
    draft.change(
      draft.points.map((point, nth) => (nth === index ? to : point)),
      !event.repeat,
    )
  }
  return (
    <details className={classes.list} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('places.shape.list')}</summary>
      {isOpen && (
        <ol>
          {draft.points.map((point, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a point has no other name than its number
            <li key={index}>
              <button
                type="button"
                disabled={isDisabled}
                data-chosen={index === chosen || undefined}
                aria-label={`${t('places.shape.point', { n: index + 1 })}: ${formatPoint(point)}`}
                onFocus={() => onChoose(index)}
                onKeyDown={(event) => onKeyDown(event, index, point)}
              >
                <b>{index + 1}</b> {formatPoint(point)}
              </button>
            </li>
          ))}
        </ol>
      )}
    </details>
  )
}

const formatPoint = ([lat, lng]: ShapePoint) => `${lat.toFixed(5)}, ${lng.toFixed(5)}`
