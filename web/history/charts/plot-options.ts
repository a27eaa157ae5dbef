import uPlot from 'uplot'
import type { Bounds } from '#web/history/track/period.ts'

export type PlotLook = {
  /** Bounds of the y axis. */
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
export function plotOptions(
  element: HTMLElement,
  { range, token, words, timeWords, isStepped = false }: PlotLook,
  bounds: Bounds,
): uPlot.Options {
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
