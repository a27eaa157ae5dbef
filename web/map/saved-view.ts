import type { LatLngExpression } from 'leaflet'
import { useEffect } from 'react'
import { tabStorage } from '#web/lib/storage.ts'
import { useMapStage } from './map-context.ts'

export type View = { center: LatLngExpression; zoom: number }

/** The view in which the user left the map, in this tab and session; null when it was never moved. */
export function savedView(): View | null {
  const [lat, lng, zoom] = (tabStorage.get('mapView') ?? '').split(',').map(Number)
  return lat !== undefined && lng !== undefined && zoom !== undefined && Number.isFinite(lat + lng + zoom)
    ? { center: [lat, lng], zoom }
    : null
}

const TOUCHES = ['pointerdown', 'wheel', 'keydown'] as const

/** Saves the view once the user has moved the map. A view chosen by the map is not saved, because the map would choose it again. */
export function SaveView() {
  const { map } = useMapStage()
  useEffect(() => {
    const frame = map.getContainer().parentElement
    let isTouched = false
    const touch = () => {
      isTouched = true
    }
    const keep = () => {
      const { lat, lng } = map.getCenter().wrap()
      if (isTouched) tabStorage.set('mapView', [lat.toFixed(5), lng.toFixed(5), map.getZoom()].join())
    }
    // Listens in the capture phase: the map stops wheel events from bubbling.
    for (const name of TOUCHES) frame?.addEventListener(name, touch, { passive: true, capture: true })
    map.on('moveend', keep)
    return () => {
      for (const name of TOUCHES) frame?.removeEventListener(name, touch, { capture: true })
      map.off('moveend', keep)
    }
  }, [map])
  return null
}
