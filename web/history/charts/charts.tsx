import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeviceType } from '#contracts/lib/constants.ts'
import { batteryDisplay } from '#contracts/rules/tracking/tracker.ts'
import { speedAt, summarizeHeights } from '#web/history/track/measured.ts'
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
  const charge = (value: number | null | undefined) => batteryWords(t, batteryDisplay(type, value))
  const speeds = useMemo(() => speedsWithGaps(track), [track])
  const top = useMemo(() => speeds.reduce<number>((most, kmh) => Math.max(most, kmh ?? 0), 0), [speeds])
  const known = useMemo(() => Array.from(track.battery, (level) => (level >= 0 ? level : null)), [track])
  const isKnown = (level: number | null) => level !== null
  const heights = useMemo(() => summarizeHeights(track), [track])
  const altitudes = useMemo(() => Array.from(track.positions.altitude, (meters) => (Number.isNaN(meters) ? null : meters)), [track])
  const shared = { times: track.positions.datetime, bounds, playback, seek: (time: number) => playback.seek(clampTime(track, time)) }
  return (
    <>
      <Plot
        {...shared}
        title={t('history.chart.speed')}
        label={t('history.chart.speedSummary', { top: formats.speed(top) })}
        values={speeds}
        range={[0, Math.max(1, Math.ceil(top))]}
        token="--trace"
        words={(kmh) => formats.speed(kmh)}
        isStepped
      />
      {heights && (
        <Plot
          {...shared}
          title={t('history.chart.height')}
          label={t('history.chart.heightSummary', {
            lowest: formats.meters(heights.lowest),
            highest: formats.meters(heights.highest),
            climb: formats.meters(heights.climb),
          })}
          values={altitudes}
          range={heightRange(altitudes)}
          token="--height"
          words={(meters) => formats.meters(meters)}
        />
      )}
      <Plot
        {...shared}
        title={t('history.chart.battery')}
        label={t('history.chart.batterySummary', { first: charge(known.find(isKnown)), last: charge(known.findLast(isKnown)) })}
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
const speedsWithGaps = (track: Track) => {
  const ends = new Set(track.legs.filter(({ kind }) => kind === 'gap').map(({ last }) => last))
  return Array.from({ length: track.positions.length }, (_, index) => (ends.has(index) ? null : speedAt(track, index)))
}

const heightRange = (altitudes: readonly (number | null)[]): [number, number] => {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const meters of altitudes) {
    if (meters === null) continue
    low = Math.min(low, meters)
    high = Math.max(high, meters)
  }
  return [Math.floor(low), Math.ceil(high)]
}
