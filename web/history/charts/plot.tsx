import 'uplot/dist/uPlot.min.css'
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'
import uPlot from 'uplot'
import type { Bounds } from '#web/history/track/period.ts'
import type { Playback } from '#web/history/track/playback.ts'
import classes from './plot.module.css'
import { type PlotLook, plotOptions } from './plot-options.ts'

type Props = PlotLook & {
  title: string
  /** Describes the curve to screen readers. */
  label: string
  times: readonly number[]
  values: readonly (number | null)[]
  bounds: Bounds
  playback: Playback
  seek: (time: number) => void
}

/** One curve over time, whose cursor follows the replay. */
export function Plot({ title, label, times, values, bounds, playback, seek, ...look }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const theme = useComputedColorScheme('light')
  const onPoint = useEffectEvent(seek)
  const draw = useEffectEvent((element: HTMLElement, placed: (plot: uPlot) => void) => {
    const options = { ...plotOptions(element, look, bounds), hooks: { draw: [placed] } }
    return new uPlot(options, [[...times], [...values]], element)
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
