import L from 'leaflet'
import { type CSSProperties, useEffect, useMemo } from 'react'
import { Link } from 'react-router-dom'
import type { Place } from '#contracts/places.ts'
import type { Circle } from '#contracts/rules/geo/place.ts'
import { placeOn } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { MapMarker } from '#web/map/pins/map-marker.tsx'
import { useView } from '#web/map/pins/use-view.ts'
import { drawBorder } from '#web/map/shapes/place-border.tsx'
import { usePaint } from '#web/map/shapes/use-paint.ts'
import { PlaceIcon } from '#web/places/place-icon.tsx'
import classes from './places-layer.module.css'

/** Metres per pixel at the equator at zoom 0. */
const METERS_PER_PIXEL = 156_543
/** Minimum in pixels, so that the label clears a tracker's pin in the middle. */
const MIN_RISE = 24
/** A circle with a larger radius in pixels has its label near the middle, because its top is too far away. */
const MAX_RADIUS = 120

/** Pixels between the middle of a circle and the label above it. */
export const labelRise = ({ lat, radius }: Circle, zoom: number) => {
  const pixels = (radius * 2 ** zoom) / (METERS_PER_PIXEL * Math.cos((lat * Math.PI) / 180))
  return pixels > MAX_RADIUS ? MIN_RISE : Math.round(Math.max(MIN_RISE, pixels))
}

type Box = { left: number; right: number; top: number; bottom: number }

const LABEL_HEIGHT = 22
const MAX_WIDTH = 160
/** Pixels for the icon and the space around it and the name. */
const ICON = 32
/** Estimated pixels per letter, and per CJK character. */
const [LETTER, SIGN] = [6.6, 12]
/** First code point of the CJK blocks. */
const SIGNS = 0x2e80

/** Bounding box of a name whose bottom centre is at the given point. */
export function labelBox({ x, y }: { x: number; y: number }, name: string): Box {
  const text = [...name].reduce((sum, char) => sum + (char.charCodeAt(0) < SIGNS ? LETTER : SIGN), ICON)
  const half = Math.min(text, MAX_WIDTH) / 2
  return { left: x - half, right: x + half, top: y - LABEL_HEIGHT, bottom: y }
}

const doOverlap = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/** Labels that overlap no earlier one; the others fit at a closer zoom. */
export function removeOverlaps<T extends { box: Box }>(labels: readonly T[]) {
  const placed: T[] = []
  for (const label of labels) if (!placed.some(({ box }) => doOverlap(box, label.box))) placed.push(label)
  return placed
}

/** Below this zoom the names would cover the trackers. */
const NAMES_ZOOM = 13

/** Borders of the places below the trackers, each labelled if there is space. */
export default function PlacesLayer({ places }: { places: readonly Place[] }) {
  const { map } = useMapStage()
  const { zoom, box } = useView(map)
  useBorders(places, zoom)
  const labels = useMemo(() => placeLabels(map, zoom, places), [map, zoom, places])
  return labels
    .filter(({ place: { lat, lng } }) => lat > box.south && lat < box.north && lng > box.west && lng < box.east)
    .map(({ place, rise }) => (
      <MapMarker key={place.id} at={place} rise={-1000}>
        <Link
          to={`/places/${encodeURIComponent(place.id)}`}
          className={classes.label ?? ''}
          style={{ '--rise': `${rise}px` } as CSSProperties}
        >
          <PlaceIcon type={place.type} size={14} />
          {place.name}
        </Link>
      </MapMarker>
    ))
}

/** Computed for the whole map at this zoom, so that no label appears or disappears while panning. */
function placeLabels(map: L.Map, zoom: number, places: readonly Place[]) {
  if (zoom < NAMES_ZOOM) return []
  return removeOverlaps(
    places.map((place) => {
      const rise = labelRise(place, zoom)
      return { place, rise, box: labelBox(map.project(placeOn(map, place), zoom).subtract([0, rise]), place.name) }
    }),
  )
}

function useBorders(places: readonly Place[], zoom: number) {
  const { map } = useMapStage()
  const { paint, renderer } = usePaint(map)
  // Only the lines of ways are as wide as the zoom says.
  const zoomOfWays = places.some(({ shape }) => shape?.type === 'corridor') ? zoom : 0
  useEffect(() => {
    const look = { renderer, color: paint('--accent'), weight: 1.5, opacity: 0.7, fillOpacity: 0.1, interactive: false }
    const borders = places.flatMap((place) => drawBorder(map, place, look, zoomOfWays))
    const group = L.layerGroup(borders).addTo(map)
    for (const border of borders) border.bringToBack()
    return () => void group.remove()
  }, [map, renderer, paint, places, zoomOfWays])
}
