import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedTracker } from '#contracts/links.ts'
import { isShownPermanent } from '#contracts/rules/link.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { NO_PADDING } from '#web/map/camera.ts'
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

export function PublicLinkView({ shared, isListed }: SharedView) {
  const { t } = useTranslation()
  const { name } = shared.tracker
  const arrival = useArrival(shared, shared.destination)
  return (
    <div className={classes.view}>
      <PublicLinkMap shared={shared} />
      <FloatingCard className={`${classes.over} ${classes.card}`} label={t('title.pubTrackers')}>
        <KindDisc of={shared.tracker} size={48} />
        <div className={classes.words}>
          <h1>{name}</h1>
          {shared.label && <p>{shared.label}</p>}
          <p role={shared.last_position ? undefined : 'status'}>
            <Freshness of={shared} />
          </p>
          {arrival && <p className={classes.fresh}>{arrival}</p>}
          {shared.destination && <p>{t('shared.destination', { name: shared.destination.name })}</p>}
          {!isListed && (
            <p>
              <Until shared={shared} />
            </p>
          )}
        </div>
      </FloatingCard>
    </div>
  )
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

/** Pixels that the card at the top covers; it has two more lines with a destination. The map of a low window begins next to it. */
const PADDING = { without: { ...NO_PADDING, top: 130 }, with: { ...NO_PADDING, top: 180 }, low: { ...NO_PADDING, left: 320 } }

function PublicLinkMap({ shared: { tracker, positions, last_position: at, destination: to } }: { shared: SharedTracker }) {
  const isLow = useMapLayout() === 'low'
  const points = useMemo(() => {
    const good = dropWrong(positions)
    return good.length > 0 ? good : at ? [at] : []
  }, [positions, at])
  const shown = useMemo(() => (to ? [...points, ...boxCorners(to)] : points), [points, to])
  const path = useMemo(() => toPath(points), [points])
  return (
    <MapView points={shown} padding={isLow ? PADDING.low : to ? PADDING.with : PADDING.without}>
      <Trace path={path} token={`--kind-${tracker.kind}`} />
      {to && <DestinationOnMap to={to} />}
      {at && (
        <>
          <AccuracyCircle at={at} radius={at.precision} kind={tracker.kind} />
          <MapMarker at={at}>
            <Pin of={tracker} label={tracker.name} isSelected />
          </MapMarker>
        </>
      )}
      <MapTools points={shown} />
    </MapView>
  )
}
