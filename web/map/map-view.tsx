import 'leaflet/dist/leaflet.css'
import { useComputedColorScheme } from '@mantine/core'
import L from 'leaflet'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { config } from '#web/lib/config.ts'
import { useIsSatellite } from './base-layer.ts'
import { initialView, NO_PADDING, type Padding, prefersReducedMotion, showAll } from './camera.ts'
import { MapContext } from './map-context.ts'
import classes from './map-view.module.css'
import type { View } from './saved-view.ts'

const WORLD: L.LatLngBoundsExpression = [
  [-85, -300],
  [85, 300],
]

/**
 * Creates one Leaflet map per element and removes it with the element. The initial view is `kept`, or contains `points`; later ones are set
 * by the camera.
 */
function useMap(points: readonly LatLng[], maxZoom: number, kept: View | null) {
  const [map, setMap] = useState<L.Map | null>(null)
  const [first] = useState(() => kept ?? initialView(points))
  const container = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return
      const controls = { zoomControl: false, attributionControl: false }
      const motion = { fadeAnimation: !prefersReducedMotion(), zoomAnimation: !prefersReducedMotion() }
      const made = L.map(element, { ...controls, ...motion, maxZoom, minZoom: 2, maxBounds: WORLD, ...first })
      const resized = new ResizeObserver(() => made.invalidateSize({ pan: false }))
      resized.observe(element)
      setMap(made)
      return () => {
        resized.disconnect()
        setMap(null)
        made.stop().remove()
      }
    },
    [first, maxZoom],
  )
  return { map, container }
}

type Props = {
  points: readonly LatLng[]
  /** Pixels covered by floating cards. */
  padding?: Padding
  kept?: View | null
  children?: ReactNode
}

/** The portal's map: tiles in the colours of the theme, and their credit. Pins, traces and buttons are its children. */
export function MapView({ points, padding = NO_PADDING, kept = null, children }: Props) {
  const { t } = useTranslation()
  const { map, container } = useMap(points, config().tiles.maxZoom, kept)
  const isSatellite = useIsSatellite()
  const { attribution, ...tiles } = (isSatellite && config().satellite) || config().tiles
  const credit = attribution.replace(/<[^>]*>/g, '')
  useTiles(map, tiles)
  useFirstView(map, kept ? [] : points, padding)
  const stage = useMemo(() => map && { map, padding }, [map, padding])
  return (
    <div className={classes.frame}>
      <section ref={container} className={classes.map} aria-label={t('map.label')} />
      {stage && <MapContext value={stage}>{children}</MapContext>}
      {isSatellite ? (
        <span className={classes.credit}>{credit}</span>
      ) : (
        <a className={classes.credit} href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer">
          {credit}
        </a>
      )}
    </div>
  )
}

/** Placeholder for a map that has not loaded yet. */
export function BlankMap() {
  const { t } = useTranslation()
  return (
    <div className={classes.frame}>
      <section className={classes.map} aria-label={t('map.label')} />
    </div>
  )
}

function useTiles(map: L.Map | null, { url, maxZoom }: { url: string; maxZoom: number }) {
  const theme = useComputedColorScheme('light')
  useEffect(() => {
    if (!map) return
    const layer = L.tileLayer(url, { theme, maxZoom: map.getMaxZoom(), maxNativeZoom: maxZoom } as L.TileLayerOptions).addTo(map)
    layer.on('tileerror', ({ tile }) => retryTile(tile))
    return () => void layer.remove()
  }, [map, theme, url, maxZoom])
}

/** Requests a lost tile again: after 2, 4 and 8 seconds. */
function retryTile(tile: HTMLElement & { tries?: number }) {
  tile.tries = (tile.tries ?? 0) + 1
  if (tile.tries <= 3) setTimeout(() => tile.isConnected && tile.setAttribute('src', tile.getAttribute('src')!), 1000 * 2 ** tile.tries)
}

/** Shows all points once, without animation, as soon as the map has a size. */
function useFirstView(map: L.Map | null, points: readonly LatLng[], padding: Padding) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first view; afterwards the person decides
  useEffect(() => {
    if (map) showAll(map, points, padding, { animate: false })
  }, [map])
}
