import type { Map as LeafletMap } from 'leaflet'
import { createContext, use } from 'react'
import type { Padding } from './camera.ts'

type Stage = { map: LeafletMap; padding: Padding }

export const MapContext = createContext<Stage | null>(null)

/** The surrounding map, and what floating elements cover of it. */
export const useStage = (): Stage => {
  const stage = use(MapContext)
  if (!stage) throw new Error('useStage() was called outside MapView')
  return stage
}
