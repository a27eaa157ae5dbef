import { useComputedColorScheme } from '@mantine/core'
import L from 'leaflet'
import { useCallback } from 'react'

const renderers = new WeakMap<L.Map, L.Canvas>()

/** What Leaflet's types leave out. */
type Canvas = L.Canvas & { _redraw(): void; _ctx?: unknown }

/** Leaflet loses sight of a drawing it ordered when it draws at once in between; that one may come after the canvas is gone. */
const createRenderer = () => {
  const renderer = L.canvas({ padding: 0.4 }) as Canvas
  const { _redraw } = renderer
  renderer._redraw = () => renderer._ctx && _redraw.call(renderer)
  return renderer
}

/** One canvas per map: thousands of points on it cost no element. */
const rendererOf = (map: L.Map) => {
  const renderer = renderers.get(map) ?? createRenderer()
  renderers.set(map, renderer)
  return renderer
}

/** What a drawing on the canvas needs: the canvas, and colours by the names of our tokens; `paint` changes with the theme. */
export function usePaint(map: L.Map) {
  const theme = useComputedColorScheme('light')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens read here depend on the theme
  const paint = useCallback(
    (token: `--${string}`) => getComputedStyle(map.getContainer()).getPropertyValue(token).trim() || '#888',
    [map, theme],
  )
  return { paint, renderer: rendererOf(map) }
}
