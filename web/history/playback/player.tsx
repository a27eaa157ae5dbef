import { IconChartLine, IconMovie, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { type CSSProperties, Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { DeviceType } from '#contracts/rules/tracking/tracker.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { summarizeHeights } from '#web/history/track/measured.ts'
import { type Playback, RATES } from '#web/history/track/playback.ts'
import { clampTime, computeActivity, type Track } from '#web/history/track/track.ts'
import { momentWords, timeWords } from '#web/history/track/track-words.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { isFreeForShortcuts } from '#web/lib/navigation/shortcuts.ts'
import type { Bounds } from '#web/lib/period.ts'
import classes from './player.module.css'
import { playFrom, useAtTime, useIsPlaying, useRate, useTime } from './use-playback.ts'

function MomentText({ type, track, playback, bounds }: { type: DeviceType; track: Track; playback: Playback; bounds: Bounds }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const time = useAtTime(playback, (at) => timeWords(formats, at, bounds))
  const moment = useAtTime(playback, (at) => momentWords(t, formats, { type, track, time: at }))
  return (
    <p className={classes.moment}>
      <strong>{time}</strong>
      <small>{moment}</small>
    </p>
  )
}

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
        <MomentText type={type} track={track} playback={playback} bounds={bounds} />
        <div className={classes.slider}>
          <TimeSlider type={type} track={track} playback={playback} bounds={bounds} />
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
function TimeSlider({ type, track, playback, bounds }: { type: DeviceType; track: Track; playback: Playback; bounds: Bounds }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const time = useTime(playback)
  const bars = useMemo(() => computeActivity(track, bounds, BARS), [track, bounds])
  const share = Math.max(0, Math.min(1, (time - bounds.start) / (bounds.end - bounds.start)))
  return (
    <div className={classes.timeSlider} style={{ '--at': `${share * 100}%` } as CSSProperties}>
      <Bars bars={bars} />
      <div className={classes.done}>
        <Bars bars={bars} />
      </div>
      <input
        type="range"
        aria-label={t('history.time')}
        aria-valuetext={`${timeWords(formats, time, bounds)}, ${momentWords(t, formats, { type, track, time })}`}
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
