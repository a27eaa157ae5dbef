import type { Map as LeafletMap } from 'leaflet'
import { createContext, use } from 'react'
import type { Padding } from './camera.ts'

type MapStage = { map: LeafletMap; padding: Padding }

export const MapContext = createContext<MapStage | null>(null)

/** The surrounding map, and the pixels of it that floating elements cover. */
export const useMapStage = (): MapStage => {
  const stage = use(MapContext)
  if (!stage) throw new Error('useStage() was called outside MapView')
  return stage
}
