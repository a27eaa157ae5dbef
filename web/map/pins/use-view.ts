import type { Map as LeafletMap } from 'leaflet'
import { useEffect, useState } from 'react'

const EVERYWHERE = { west: -180, south: -85, east: 180, north: 85 }

const readView = (map: LeafletMap) => {
  const bounds = map.getBounds().pad(0.2)
  const hasSize = map.getSize().x > 0
  const box = { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() }
  return { zoom: map.getZoom(), box: hasSize ? box : EVERYWHERE }
}

/** The current view of the map, updated after each move. */
export function useView(map: LeafletMap) {
  const [view, setView] = useState(() => readView(map))
  useEffect(() => {
    const look = () => setView(readView(map))
    map.on('moveend zoomend resize', look)
    look()
    return () => void map.off('moveend zoomend resize', look)
  }, [map])
  return view
}
