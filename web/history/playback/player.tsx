import { IconChartLine, IconMovie, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { type CSSProperties, Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { summarizeHeights } from '#web/history/track/measured.ts'
import { type Playback, RATES } from '#web/history/track/playback.ts'
import { clampTime, computeActivity, type Track } from '#web/history/track/track.ts'
import { isOneDay, momentWords, timeWords, whereWords } from '#web/history/track/track-words.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { isFreeForShortcuts } from '#web/lib/navigation/shortcuts.ts'
import { addDays, type Bounds, midnight, toDay } from '#web/lib/period.ts'
import { usePlaces } from '#web/places/places.queries.ts'
import { Moment } from './moment.tsx'
import classes from './player.module.css'
import { playFrom, useIsPlaying, useRate, useTime } from './use-playback.ts'

const SPACE_CONSUMERS = 'button, a, summary'

/** Space plays and pauses; the arrow keys move a minute, as on the slider. */
function usePlayerKeys(track: Track, playback: Playback) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isFreeForShortcuts(event)) return
      const { isPlaying, time } = playback.state()
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      const isSpace = event.key === ' ' && !(event.target instanceof Element && event.target.closest(SPACE_CONSUMERS))
      if (!step && !isSpace) return
      event.preventDefault()
      if (step) playback.seek(clampTime(track, time + step * MINUTE_MS))
      else if (isPlaying) playback.stop()
      else playFrom(track, playback)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [track, playback])
}

const Charts = lazy(() => import('#web/history/charts/charts.tsx'))
const FilmDialog = lazy(() => import('#web/history/film/film-dialog.tsx'))

/** Not every browser records a canvas. */
const canFilm = () => 'MediaRecorder' in window && 'captureStream' in HTMLCanvasElement.prototype

/** Pixels with the margin below, as in player.module.css. */
const CHARTS = { plain: 184, withHeights: 264 }

type Props = { device: Device; track: Track; playback: Playback; bounds: Bounds; onResize: (charts: number) => void }

export function Player({ device, track, playback, bounds, onResize }: Props) {
  const { t } = useTranslation()
  const { type } = device
  const [isFilming, setFilming] = useState(false)
  usePlayerKeys(track, playback)
  const [hasCharts, setCharts] = useState(false)
  const hasHeights = useMemo(() => summarizeHeights(track) !== null, [track])
  const charts = !hasCharts ? 0 : hasHeights ? CHARTS.withHeights : CHARTS.plain
  useEffect(() => onResize(charts), [onResize, charts])
  return (
    <section className={classes.player} aria-label={t('history.player')}>
      {hasCharts && (
        <div className={classes.charts} data-heights={hasHeights || undefined}>
          <Suspense>
            <Charts type={type} track={track} playback={playback} bounds={bounds} />
          </Suspense>
        </div>
      )}
      <div className={classes.row}>
        <PlayButton track={track} playback={playback} />
        <Moment device={device} track={track} playback={playback} bounds={bounds} />
        <div className={classes.slider}>
          <TimeSlider device={device} track={track} playback={playback} bounds={bounds} />
        </div>
        <div className={classes.choices}>
          <RateButton playback={playback} />
          <button
            type="button"
            className={classes.choice}
            aria-pressed={hasCharts}
            aria-label={hasHeights ? t('history.chartsWithHeight') : t('history.charts')}
            onClick={() => setCharts(!hasCharts)}
          >
            <IconChartLine size={18} aria-hidden="true" />
          </button>
          {canFilm() && (
            <button
              type="button"
              className={classes.choice}
              aria-label={t('history.film.open')}
              title={t('history.film.open')}
              onClick={() => {
                playback.stop()
                setFilming(true)
              }}
            >
              <IconMovie size={18} aria-hidden="true" />
            </button>
          )}
        </div>
      </div>
      {isFilming && (
        <Suspense>
          <FilmDialog device={device} track={track} bounds={bounds} onClose={() => setFilming(false)} />
        </Suspense>
      )}
    </section>
  )
}

function PlayButton({ track, playback }: { track: Track; playback: Playback }) {
  const { t } = useTranslation()
  const isPlaying = useIsPlaying(playback)
  const Icon = isPlaying ? IconPlayerPauseFilled : IconPlayerPlayFilled
  return (
    <button
      type="button"
      className={classes.play}
      aria-label={isPlaying ? t('history.pause') : t('history.play')}
      onClick={() => (isPlaying ? playback.stop() : playFrom(track, playback))}
    >
      <Icon size={18} aria-hidden="true" />
    </button>
  )
}

function RateButton({ playback }: { playback: Playback }) {
  const { t } = useTranslation()
  const rate = useRate(playback)
  const next = RATES[(RATES.indexOf(rate) + 1) % RATES.length] ?? rate
  return (
    <button
      type="button"
      className={classes.choice}
      aria-label={t('history.rateLabel', { rate: t('history.rate', { n: rate }), count: rate })}
      title={t('history.rateLabel', { rate: t('history.rate', { n: rate }), count: rate })}
      onClick={() => playback.setRate(next)}
    >
      {t('history.rate', { n: rate })}
    </button>
  )
}

const BARS = 72

/** The period from left to right with bars of activity behind it. A native range input, so it works with keys and screen readers. */
function TimeSlider({ device: { type, kind }, track, playback, bounds }: Omit<Props, 'onResize'>) {
  const { t } = useTranslation()
  const formats = useFormats()
  const places = usePlaces()
  const time = useTime(playback)
  const bars = useMemo(() => computeActivity(track, bounds, BARS), [track, bounds])
  const share = Math.max(0, Math.min(1, (time - bounds.start) / (bounds.end - bounds.start)))
  return (
    <div className={classes.timeSlider} style={{ '--at': `${share * 100}%` } as CSSProperties}>
      <Ticks bounds={bounds} />
      <Bars bars={bars} />
      <div className={classes.done}>
        <Bars bars={bars} />
      </div>
      <input
        type="range"
        aria-label={t('history.time')}
        aria-valuetext={[
          timeWords(formats, time, bounds),
          momentWords(t, formats, { type, track, time }),
          whereWords(t, formats, time, { track, kind, places }),
        ].join(', ')}
        min={bounds.start}
        max={bounds.end}
        step={MINUTE_MS}
        value={time}
        onChange={({ target }) => playback.seek(clampTime(track, target.valueAsNumber))}
      />
    </div>
  )
}

/** Drawn in a 10 by 40 grid and stretched to the available width. */
function Bars({ bars }: { bars: readonly number[] }) {
  return (
    <svg className={classes.bars} viewBox={`0 0 ${bars.length * 10} 40`} preserveAspectRatio="none" aria-hidden="true">
      <path d={bars.map((share, bar) => rod(bar * 10 + 2, Math.max(1.5, share * 40))).join('')} />
    </svg>
  )
}

const rod = (x: number, height: number) => `M${x} 40v${-height.toFixed(1)}h6v${height.toFixed(1)}z`

const HOURS = [0, 6, 12, 18, 24]

/** More days would not fit below a slider. */
const MOST_DAYS = 16

/** The hours below the slider of one day, or the days below that of several. */
function Ticks({ bounds }: { bounds: Bounds }) {
  const formats = useFormats()
  const ticks = isOneDay(bounds)
    ? HOURS.map((hour) => new Date(new Date(bounds.start).setHours(hour))).map((at) => ({ at, words: formats.hour(at) }))
    : listDays(bounds).map((at) => ({ at, words: formats.dayOfMonth(at) }))
  return (
    <div className={classes.ticks} aria-hidden="true">
      {ticks.map(({ at, words }) => (
        <span key={at.getTime()} style={{ left: `${(100 * (at.getTime() - bounds.start)) / (bounds.end - bounds.start)}%` }}>
          {words}
        </span>
      ))}
    </div>
  )
}

function listDays({ start, end }: Bounds) {
  const days: Date[] = []
  for (let day = toDay(new Date(start)); midnight(day).getTime() < end; day = addDays(day, 1)) days.push(midnight(day))
  const step = Math.ceil(days.length / MOST_DAYS)
  return days.filter((_, index) => index % step === 0)
}
