import { IconAntennaBarsOff, IconMapPin, IconRoute } from '@tabler/icons-react'
import { type CSSProperties, type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Place } from '#contracts/places.ts'
import { findContainingPlace } from '#contracts/rules/geo/place.ts'
import { fixAt } from '#contracts/rules/history/fixes.ts'
import type { Leg } from '#contracts/rules/history/trips.ts'
import type { Kind } from '#contracts/rules/tracking/tracker.ts'
import { useAtTime } from '#web/history/playback/use-playback.ts'
import type { Playback } from '#web/history/track/playback.ts'
import { findLeg, type Track } from '#web/history/track/track.ts'
import { isOneDay, legWords } from '#web/history/track/track-words.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { type Bounds, toDay } from '#web/lib/period.ts'
import { useMedia } from '#web/lib/use-media.ts'
import { simplifyTrip } from '#web/map/shapes/simplify-trip.ts'
import { PlaceIcon } from '#web/places/place-icon.tsx'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { KindIcon, kindColour } from '#web/trackers/parts/kind-icon.tsx'
import classes from './timeline.module.css'

type Props = {
  kind: Kind
  track: Track
  playback: Playback
  bounds: Bounds
  places: readonly Place[]
  focus: number | null
  onFocus: (leg: number | null) => void
}

/** Lists the stops and trips of the period. Choosing one shows it on the map; choosing it again shows the whole track. */
export function Timeline({ kind, track, playback, bounds, places, focus, onFocus }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useAtTime(playback, (time) => findLeg(track.legs, time))
  const list = useRef<HTMLOListElement>(null)
  const hasShapes = useFeature('placeShapes')
  useFollowedRow(list, now)
  const mayDrawWays = useHasRight('changePlaces') && hasShapes
  const choose = (index: number, leg: Leg) => {
    if (index === focus) return onFocus(null)
    onFocus(index)
    playback.seek(leg.start)
  }
  return (
    <ol ref={list} className={classes.legs} aria-label={t('history.legs')}>
      {track.legs.map((leg, index) => {
        const { title, detail, speed } = legWords(t, formats, leg, { track, kind, places })
        const before = track.legs[index - 1]
        const isNewDay = !isOneDay(bounds) && (!before || toDay(new Date(before.start)) !== toDay(new Date(leg.start)))
        return (
          <li key={leg.start}>
            {isNewDay && <h2 className={classes.day}>{formats.day(new Date(leg.start))}</h2>}
            <button
              type="button"
              className={classes.leg}
              aria-pressed={index === focus}
              data-now={index === now || undefined}
              onClick={() => choose(index, leg)}
            >
              <span className={classes.time}>{formats.time(new Date(leg.start))}</span>
              <LegIcon leg={leg} kind={kind} place={findContainingPlace(places, fixAt(track.positions, leg.first))} />
              <span className={classes.words}>
                <b>{title}</b>
                <small title={detail}>{detail}</small>
              </span>
              <span className={classes.duration}>
                {formats.duration(leg.durationMs)}
                {speed && <small>{speed}</small>}
              </span>
            </button>
            {index === focus && leg.kind === 'trip' && mayDrawWays && (
              <Link to="/places/new" state={{ way: simplifyTrip(track.positions, leg.first, leg.last) }} className={classes.save}>
                <IconRoute size={18} aria-hidden="true" />
                {t('history.saveAsWay')}
              </Link>
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** Scrolls the row of the moment into view whenever another row becomes that of the moment. */
function useFollowedRow(list: RefObject<HTMLOListElement | null>, now: number) {
  const shown = useRef(now)
  const isCalm = useMedia('(prefers-reduced-motion: reduce)')
  useEffect(() => {
    if (shown.current === now) return
    shown.current = now
    list.current?.children[now]?.scrollIntoView?.({ block: 'nearest', behavior: isCalm ? 'instant' : 'smooth' })
  }, [list, now, isCalm])
}

function LegIcon({ leg, kind, place }: { leg: Leg; kind: Kind; place: Place | undefined }) {
  const style = leg.kind === 'trip' ? ({ '--k': kindColour(kind) } as CSSProperties) : undefined
  return (
    <span className={classes.icon} style={style} aria-hidden="true">
      {leg.kind === 'trip' && <KindIcon kind={kind} size={16} />}
      {leg.kind === 'stop' && (place ? <PlaceIcon type={place.type} size={16} /> : <IconMapPin size={16} stroke={1.8} />)}
      {leg.kind === 'gap' && <IconAntennaBarsOff size={16} stroke={1.8} />}
    </span>
  )
}
