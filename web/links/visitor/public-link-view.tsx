import { type CSSProperties, type RefObject, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedTracker } from '#contracts/links.ts'
import { isShownPermanent } from '#contracts/rules/link.ts'
import { loadVisitorMap } from '#web/finder/load-finder.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useNow } from '#web/lib/clock.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { NO_PADDING } from '#web/map/camera.ts'
import { KeepPoints } from '#web/map/keep-points.tsx'
import { MapView } from '#web/map/map-view.tsx'
import { MapMarker } from '#web/map/pins/map-marker.tsx'
import { Pin } from '#web/map/pins/pin.tsx'
import { AccuracyCircle, boxCorners } from '#web/map/shapes/circles.tsx'
import { toPath } from '#web/map/shapes/path.ts'
import { Trace } from '#web/map/shapes/trace.tsx'
import { MapTools } from '#web/map/tools/map-tools.tsx'
import { useMapLayout } from '#web/map/use-map-layout.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { dropWrong } from '#web/trackers/trace/wrong-positions.ts'
import { FloatingCard } from '#web/ui/floating-card.tsx'
import { DestinationOnMap, useArrival } from './destination.tsx'
import classes from './public-link-view.module.css'

/** `isListed`: the backend lists the trackers of the link and does not describe the link itself. */
export type SharedView = { shared: SharedTracker; isListed: boolean }

const VisitorTools = lazy(async () => ({
  default: (await Promise.all([import('./visitor-tools.tsx'), loadWords(['trackers'])]))[0].VisitorTools,
}))
const Me = lazy(async () => ({ default: (await loadVisitorMap()).Me }))

export function PublicLinkView({ shared, isListed }: SharedView) {
  const { t } = useTranslation()
  const formats = useFormats()
  const card = useRef<HTMLDivElement>(null)
  const height = useHeight(card)
  const { last_position: at, address, shared_by, note } = shared
  const arrival = useArrival(shared, shared.destination)
  return (
    <div className={classes.view} style={{ '--map-bottom': `${useMapLayout() === 'narrow' ? height : 0}px` } as CSSProperties}>
      <PublicLinkMap shared={shared} covered={height} />
      <div ref={card} className={`${classes.over} ${classes.card}`}>
        <FloatingCard label={t('title.pubTrackers')} className={classes.inside}>
          <KindDisc of={shared.tracker} size={48} />
          <div className={classes.words}>
            <h1>{shared.tracker.name}</h1>
            {shared.label && <p>{shared.label}</p>}
            {shared_by && <p>{t('shared.by', { name: shared_by })}</p>}
            {!isListed && (
              <p>
                <Until shared={shared} />
              </p>
            )}
          </div>
          {note && <blockquote className={classes.note}>{note}</blockquote>}
          <div className={classes.where}>
            {address && <strong>{address}</strong>}
            <p role={at ? undefined : 'status'}>
              <Freshness of={shared} />
              {at && <> · {t('tracker.accuracy', { distance: formats.meters(at.precision) })}</>}
            </p>
            {arrival && <p className={classes.fresh}>{arrival}</p>}
            {shared.destination && <p>{t('shared.destination', { name: shared.destination.name })}</p>}
          </div>
          {(at || shared.phone) && (
            <Suspense fallback={<div className={classes.tools} />}>
              <VisitorTools shared={shared} at={at} />
            </Suspense>
          )}
        </FloatingCard>
      </div>
    </div>
  )
}

/** The height of an element with the space around it, in pixels. */
function useHeight(ref: RefObject<HTMLElement | null>) {
  const [height, setHeight] = useState(220)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => setHeight(element.offsetHeight + 24))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return height
}

/** The age of the last position, that there is none, or that the tracker rests. */
export function Freshness({ of: { last_position: at, resting } }: { of: Pick<SharedTracker, 'last_position' | 'resting'> }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  if (resting) return t('shared.resting')
  if (!at) return t('shared.noPosition')
  const { datetime } = at
  return (
    <time dateTime={datetime} title={formats.dateTime(datetime)} className={classes.fresh}>
      {t('shared.updated', { age: formats.age(datetime, now) })}
    </time>
  )
}

/** An end after the year 2100 is shown as permanent. */
export function Until({ shared: { permanent, end_date } }: { shared: SharedTracker }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const isPermanent = permanent || end_date === null || isShownPermanent(end_date)
  return isPermanent ? t('shared.permanent') : t('shared.until', { date: formats.dateTime(end_date) })
}

/** Pixels that the card covers: a column at the left, or rows at the bottom of a narrow window. */
const WIDE = { ...NO_PADDING, left: 384 }
const LOW = { ...NO_PADDING, left: 320 }

function PublicLinkMap({ shared, covered }: { shared: SharedTracker; covered: number }) {
  const { tracker, positions, last_position: at, destination: to } = shared
  const layout = useMapLayout()
  const padding = useMemo(() => ({ wide: WIDE, low: LOW, narrow: { ...NO_PADDING, bottom: covered } })[layout], [layout, covered])
  const points = useMemo(() => {
    const good = dropWrong(positions)
    return good.length > 0 ? good : at ? [at] : []
  }, [positions, at])
  const shown = useMemo(() => (to ? [...points, ...boxCorners(to)] : points), [points, to])
  const here = useMemo(() => (at ? [at] : []), [at])
  const path = useMemo(() => toPath(points), [points])
  return (
    <MapView points={shown} padding={padding}>
      <Trace path={path} token={`--kind-${tracker.kind}`} />
      <KeepPoints points={here} shown={shown} />
      {to && <DestinationOnMap to={to} />}
      {at && (
        <>
          <AccuracyCircle at={at} radius={at.precision} kind={tracker.kind} />
          <MapMarker at={at}>
            <Pin of={tracker} label={tracker.name} isSelected />
          </MapMarker>
        </>
      )}
      {at && (
        <Suspense>
          <Me asked={0} target={at} />
        </Suspense>
      )}
      <MapTools points={shown} />
    </MapView>
  )
}
