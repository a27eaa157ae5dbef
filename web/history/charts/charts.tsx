import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeviceType } from '#contracts/lib/constants.ts'
import { batteryDisplay } from '#contracts/rules/tracking/tracker.ts'
import type { Bounds } from '#web/history/track/period.ts'
import type { Playback } from '#web/history/track/playback.ts'
import { clampTime, type Track } from '#web/history/track/track.ts'
import { timeWords } from '#web/history/track/track-words.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { batteryWords } from '#web/lib/i18n/words.ts'
import { Plot } from './plot.tsx'

type Props = { type: DeviceType; track: Track; playback: Playback; bounds: Bounds }

export default function Charts({ type, track, playback, bounds }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const times = useMemo(() => track.fixes.map(({ datetime }) => datetime), [track])
  const charge = (value: number | null | undefined) => batteryWords(t, batteryDisplay(type, value))
  const speeds = useMemo(() => speedsWithGaps(track.kmh, track), [track])
  const known = useMemo(() => track.battery.map((value) => (value !== null && value >= 0 ? value : null)), [track])
  const levels = known.filter((value) => value !== null)
  const shared = { times, bounds, playback, seek: (time: number) => playback.seek(clampTime(track, time)) }
  return (
    <>
      <Plot
        {...shared}
        title={t('history.chart.speed')}
        label={t('history.chart.speedSummary', { top: formats.speed(Math.max(0, ...track.kmh)) })}
        values={speeds}
        range={[0, track.topKmh]}
        token="--trace"
        words={(kmh) => formats.speed(kmh)}
        isStepped
      />
      <Plot
        {...shared}
        title={t('history.chart.battery')}
        label={t('history.chart.batterySummary', { first: charge(levels[0]), last: charge(levels.at(-1)) })}
        values={known}
        range={type === 'tracker_02' ? [3000, 4200] : [0, 100]}
        token="--accent"
        words={charge}
        timeWords={(time) => timeWords(formats, time, bounds)}
      />
    </>
  )
}

/** Speeds as null during gaps, because the speed is unknown without a signal. */
const speedsWithGaps = (kmh: readonly number[], { legs }: Track) => {
  const ends = new Set(legs.filter(({ kind }) => kind === 'gap').map(({ last }) => last))
  return kmh.map((value, index) => (ends.has(index) ? null : value))
}
