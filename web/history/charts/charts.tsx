import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { batteryDisplay, type DeviceType } from '#contracts/rules/tracking/tracker.ts'
import { speedAt, summarizeHeights } from '#web/history/track/measured.ts'
import type { Playback } from '#web/history/track/playback.ts'
import { clampTime, type Track } from '#web/history/track/track.ts'
import { timeWords } from '#web/history/track/track-words.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { batteryWords } from '#web/lib/i18n/words.ts'
import type { Bounds } from '#web/lib/period.ts'
import 'uplot/dist/uPlot.min.css'
import { useComputedColorScheme } from '@mantine/core'
import uPlot from 'uplot'
import classes from './charts.module.css'

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

type PlotLook = {
  range: readonly [number, number]
  /** CSS colour token of the curve. */
  token: `--${string}`
  words: (value: number) => string
  /** Formats the x-axis labels; without it the axis has none. */
  timeWords?: (time: number) => string
  /** Draws each value as a step that holds since the previous one. */
  isStepped?: boolean
}

/** The smallest font size, --t1, in the pixels that a canvas needs: 12 at the usual text size of a browser. */
const axisFont = () =>
  `${0.75 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 12}px Inter Variable, system-ui, sans-serif`

const nothing = () => null
/** Turns off uPlot's own mouse handling: the cursor shows the replay's time, and `Plot` sends the pointer's position to the replay. */
const NO_MOUSE = {
  mousedown: nothing,
  mouseup: nothing,
  click: nothing,
  dblclick: nothing,
  mousemove: nothing,
  mouseleave: nothing,
  mouseenter: nothing,
}

/** uPlot options for one curve: time in ms on the x axis, our colours, no legend, no zoom. */
function plotOptions(element: HTMLElement, { range, token, words, timeWords, isStepped = false }: PlotLook, bounds: Bounds): uPlot.Options {
  const colour = (name: string) => getComputedStyle(element).getPropertyValue(name).trim() || '#888'
  const [ink, line, curve] = [colour('--text-2'), colour('--line'), colour(token)]
  const axis = { stroke: ink, font: axisFont(), grid: { stroke: line, width: 1 }, ticks: { show: false } }
  return {
    width: element.clientWidth || 300,
    height: element.clientHeight || 80,
    ms: 1,
    padding: [6, 30, timeWords ? 0 : 4, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7, fill: curve }, bind: NO_MOUSE },
    scales: { x: { time: true, range: [bounds.start, bounds.end] }, y: { range: [...range] } },
    series: [
      {},
      {
        stroke: curve,
        width: 1.5,
        fill: `${curve}26`,
        points: { show: false },
        ...(isStepped && { paths: uPlot.paths.stepped?.({ align: -1 }) }),
      },
    ],
    axes: [
      {
        ...axis,
        show: timeWords !== undefined,
        size: 24,
        gap: 7,
        space: 70,
        values: (_, times) => times.map((time) => timeWords?.(time) ?? ''),
      },
      { ...axis, size: 58, gap: 4, splits: [range[0], range[1]], values: (_, values) => values.map(words) },
    ],
  }
}

type PlotProps = PlotLook & {
  title: string
  label: string
  times: Float64Array
  values: readonly (number | null)[]
  bounds: Bounds
  playback: Playback
  seek: (time: number) => void
}

function Plot({ title, label, times, values, bounds, playback, seek, ...look }: PlotProps) {
  const host = useRef<HTMLDivElement>(null)
  const theme = useComputedColorScheme('light')
  const onPoint = useEffectEvent(seek)
  const draw = useEffectEvent((element: HTMLElement, placed: (plot: uPlot) => void) => {
    const options = { ...plotOptions(element, look, bounds), hooks: { draw: [placed] } }
    return new uPlot(options, [times, [...values]], element)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the plot is created again for another theme or other values
  useEffect(() => {
    const element = host.current
    if (!element) return
    const place = (drawn: uPlot) => drawn.setCursor({ left: drawn.valToPos(playback.state().time, 'x'), top: 0 }, false)
    const plot = draw(element, place)
    const fit = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: element.clientHeight }))
    fit.observe(element)
    const point = ({ clientX }: PointerEvent) => onPoint(plot.posToVal(clientX - plot.over.getBoundingClientRect().left, 'x'))
    plot.over.addEventListener('pointermove', point)
    plot.over.addEventListener('pointerdown', point)
    const forget = playback.subscribe(() => place(plot))
    return () => {
      forget()
      fit.disconnect()
      plot.destroy()
    }
  }, [theme, times, values, bounds, playback])
  return (
    <figure className={classes.plot} data-times={look.timeWords ? true : undefined}>
      <figcaption aria-hidden="true">{title}</figcaption>
      <div ref={host} role="img" aria-label={label} className={classes.canvas} />
    </figure>
  )
}
