import { type CSSProperties, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeviceType } from '#contracts/lib/constants.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { Bounds } from '#web/history/track/period.ts'
import type { Playback } from '#web/history/track/playback.ts'
import { clampTime, computeActivity, type Track } from '#web/history/track/track.ts'
import { momentWords, timeWords } from '#web/history/track/track-words.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import classes from './time-slider.module.css'
import { useTime } from './use-playback.ts'

const BARS = 72

/** The period from left to right with bars of activity behind it. A native range input, so it works with keys and screen readers. */
export function TimeSlider({ type, track, playback, bounds }: { type: DeviceType; track: Track; playback: Playback; bounds: Bounds }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const time = useTime(playback)
  const bars = useMemo(() => computeActivity(track, bounds, BARS), [track, bounds])
  const share = Math.max(0, Math.min(1, (time - bounds.start) / (bounds.end - bounds.start)))
  return (
    <div className={classes.slider} style={{ '--at': `${share * 100}%` } as CSSProperties}>
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
