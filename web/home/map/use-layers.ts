import { useState } from 'react'
import { storage } from '#web/lib/storage.ts'

export const LAYERS = ['names', 'accuracy', 'trace', 'places'] as const
type Layer = (typeof LAYERS)[number]

const DEFAULT_LAYERS = 'accuracy,trace,places'

export function useLayers() {
  const [shown, setShown] = useState(() => (storage.get('mapLayers') ?? DEFAULT_LAYERS).split(','))
  return {
    has: (layer: Layer) => shown.includes(layer),
    toggle(layer: Layer) {
      const next = LAYERS.filter((one) => shown.includes(one) !== (one === layer))
      storage.set('mapLayers', next.join())
      setShown(next)
    },
  }
}

export type Layers = ReturnType<typeof useLayers>
