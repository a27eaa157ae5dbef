import { useComputedColorScheme } from '@mantine/core'
import L from 'leaflet'
import { useCallback } from 'react'

const renderers = new WeakMap<L.Map, L.Canvas>()

/** Internals missing from Leaflet's types. */
type Canvas = L.Canvas & { _redraw(): void; _ctx?: unknown }

/**
 * Leaflet loses track of a scheduled redraw when it draws synchronously in between, so that redraw may run after the canvas was removed.
 * This renderer checks for the canvas first.
 */
const createRenderer = () => {
  const renderer = L.canvas({ padding: 0.4 }) as Canvas
  const { _redraw } = renderer
  renderer._redraw = () => renderer._ctx && _redraw.call(renderer)
  return renderer
}

/** One canvas per map, because thousands of points as elements would be slow. */
const getRenderer = (map: L.Map) => {
  const renderer = renderers.get(map) ?? createRenderer()
  renderers.set(map, renderer)
  return renderer
}

export function usePaint(map: L.Map) {
  const theme = useComputedColorScheme('light')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens read here depend on the theme
  const paint = useCallback(
    (token: `--${string}`) => getComputedStyle(map.getContainer()).getPropertyValue(token).trim() || '#888',
    [map, theme],
  )
  return { paint, renderer: getRenderer(map) }
}
