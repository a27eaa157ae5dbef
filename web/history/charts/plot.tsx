import 'uplot/dist/uPlot.min.css'
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'
import uPlot from 'uplot'
import type { Bounds } from '#web/history/track/period.ts'
import type { Playback } from '#web/history/track/playback.ts'
import classes from './plot.module.css'

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

const FONT = '11px Inter Variable, system-ui, sans-serif'

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
  const axis = { stroke: ink, font: FONT, grid: { stroke: line, width: 1 }, ticks: { show: false } }
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

type Props = PlotLook & {
  title: string
  label: string
  times: Float64Array
  values: readonly (number | null)[]
  bounds: Bounds
  playback: Playback
  seek: (time: number) => void
}

export function Plot({ title, label, times, values, bounds, playback, seek, ...look }: Props) {
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
